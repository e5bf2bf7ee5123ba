/** @jsxImportSource preact */
import { withHeaders } from "../../server/http/response_data.ts";
import { OAuthError } from "../../server/protocol/oauth_error.ts";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePreviousPage,
} from "../pages/page/lab_page.ts";
import { accessCookieFor } from "../pages/page/page_guard.ts";
import { LabForm } from "../pages/parts/form.tsx";
import { PageHead } from "../pages/parts/section.tsx";

/** The form that takes the lab's token, and gives the browser a cookie in its place. */
export const tokenDoorPages: readonly LabPageRoute[] = [{
  method: "POST",
  path: "/enter",
  isPublic: true,
  async handle(_lab, call) {
    const { ctx, form, browser, token } = call;
    if (!token) throw new OAuthError("not_found", "This lab has no token.");
    const matches = await token.matches(`Bearer ${form.get("token") ?? ""}`, ctx.sender);
    if (!matches) return tokenDoor({ ...call, here: form.get("back") ?? "" }, true);
    return withHeaders(seePreviousPage(call), await accessCookieFor(ctx, browser, token));
  },
}];

export function tokenDoor(call: LabPageCall, isWrong = false): LabPage {
  const problemId = isWrong ? "token-problem" : undefined;
  return {
    title: "Enter the lab's token",
    status: 401,
    content: (
      <div class="door">
        <PageHead title="Enter the lab's token">
          It was given with <code>--lab-token</code>{" "}
          when this lab was started. This browser is asked once.
        </PageHead>
        <LabForm page={call} action="/enter" back={call.here}>
          {isWrong && <p id="token-problem" class="alert" role="alert">That isn't the token.</p>}
          <label for="token">Token</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            required
            autofocus
            aria-describedby={problemId}
          />
          <button type="submit">Continue</button>
        </LabForm>
      </div>
    ),
  };
}

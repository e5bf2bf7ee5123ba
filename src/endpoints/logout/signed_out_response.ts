import { redirectResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { logoutFrames } from "../../issuer/sessions/logout_notifications.ts";
import { endSession } from "../../issuer/sessions/sessions.ts";
import type { SignedOutProps } from "../../pages/signed_out.tsx";
import { frameProps, pageResponse } from "../responses/page_response.ts";

/** Where a user goes after signing out. */
export interface NextPage {
  url: string;
  /** The name that users know it by. */
  name: string;
  /** By a link on our page, or without a click. */
  by: "link" | "redirect";
}

/** What the page says about the client and its request. */
export type LogoutRemarks = Pick<SignedOutProps, "untrustedClient" | "hint">;

/** Signs the user out and sends the browser on, after notifying clients in frames. */
export async function signedOutResponse(
  ctx: Context,
  request: Request,
  next?: NextPage,
  remarks: LogoutRemarks = {},
): Promise<Response> {
  const { session, headers } = await endSession(ctx, request);
  const frames = session ? await logoutFrames(ctx, session.sid) : [];
  const goesOn = next?.by === "redirect";
  if (goesOn && frames.length === 0) return redirectResponse(next.url, headers);
  const props = { ...frameProps(ctx), ...remarks, frames, next, goesOn };
  return pageResponse(ctx.settings.pages.signedOut(props), 200, headers, frames);
}

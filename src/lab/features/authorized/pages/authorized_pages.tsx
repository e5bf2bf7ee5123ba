/** @jsxImportSource preact */
import { pageResponse } from "../../../../server/endpoints/responses/page_response.ts";
import {
  AuthorizedContent,
  authorizedTitle,
} from "../../../../server/features/authorized/authorized.tsx";
import { authorizedPages as serverPages } from "../../../../server/features/authorized/config.ts";
import { redirectResponse } from "../../../../server/http/response.ts";
import type { ResponseData } from "../../../../server/http/response_data.ts";
import { findBrowser } from "../../../../server/issuer/sessions/browsers.ts";
import { errorFactory } from "../../../../server/protocol/oauth_error.ts";
import { toIncomingRequest } from "../../../client_role/role_request.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall } from "../../../pages/page/lab_page.ts";
import { followUpNamed, followUpRequest } from "../follow_up.ts";
import { codeState, failureCause } from "./callback_outcome.tsx";
import { followUpSections } from "./follow_ups.tsx";
import { authorizedProps, followUpFacts, readReceivedCallback } from "./received_callback.ts";

const accessDenied = errorFactory("access_denied");

/** Shows an authorization response, what became of its code, and what to do with it. */
export async function showResponse(
  lab: CoreLab,
  call: LabPageCall,
): Promise<LabPage | ResponseData> {
  const { context: ctx } = lab;
  const received = await readReceivedCallback(lab, call, await findBrowser(call.ctx));
  const { played, failed } = received;
  const props = await authorizedProps(lab, call, received);
  const { authorized } = serverPages.of(ctx.settings.pages);
  if (authorized !== serverPages.defaults.authorized) return await pageResponse(authorized(props));
  return {
    title: authorizedTitle(props),
    isLive: true,
    style: "front.css",
    script: "front.js",
    content: (
      <div class="authorized">
        <AuthorizedContent
          {...props}
          isSpent={played?.codeState.kind === "spent"}
          codeState={codeState(lab, call, played)}
        >
          {await followUpSections(lab, call, received)}
        </AuthorizedContent>
        {failed && failureCause(call, failed)}
      </div>
    ),
  };
}

/** Takes a response that came by `form_post` to the page, which can be loaded again. */
export function receiveForm(_lab: CoreLab, { request, form }: LabPageCall): ResponseData {
  return redirectResponse(`${new URL(request.url).pathname}?${form}`);
}

/**
 * Sends a request in the role of the client, but only for a flow that the lab started in this
 * browser. The page then shows what the recorder knows.
 */
export async function sendFollowUp(lab: CoreLab, call: LabPageCall): Promise<ResponseData> {
  const received = await readReceivedCallback(lab, call, await findBrowser(call.ctx));
  const name = followUpNamed(call.form.get("step"));
  const facts = followUpFacts(lab, received);
  const request = name && facts && await followUpRequest(lab, name, facts);
  if (!request) {
    throw accessDenied("This lab didn't start that flow in this browser, or it is over.", {
      status: 403,
    });
  }
  await lab.recordExchange(toIncomingRequest(request), { isOfPage: true });
  const { pathname, search } = new URL(call.request.url);
  return redirectResponse(`${pathname.replace(/\/send$/, "")}${search}#${name}`);
}

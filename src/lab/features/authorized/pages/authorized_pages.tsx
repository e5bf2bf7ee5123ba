/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { pageResponse } from "../../../../server/endpoints/responses/page_response.ts";
import {
  AuthorizedContent,
  authorizedTitle,
} from "../../../../server/features/authorized/authorized.tsx";
import { authorizedProps } from "../../../../server/features/authorized/authorized_page.ts";
import { authorizedPages } from "../../../../server/features/authorized/config.ts";
import { redirectResponse } from "../../../../server/http/response.ts";
import type { ResponseData } from "../../../../server/http/response_data.ts";
import { OAuthError } from "../../../../server/protocol/oauth_error.ts";
import { toIncomingRequest } from "../../../client_role/role_request.ts";
import { startableClients } from "../../../client_role/start_flow.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { findEndpointUrl } from "../../../dialect/lab_endpoints.ts";
import { toCurl } from "../../../flows/curl.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import { stateTones } from "../../../pages/flows/lineage_tree.tsx";
import type { LabPage, LabPageCall } from "../../../pages/page/lab_page.ts";
import { Section } from "../../../pages/parts/section.tsx";
import { Comparison } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Exchange } from "../../../recording/exchange.ts";
import { refusalOf } from "../../../recording/refusal.ts";
import { formatInstant } from "../../../tokens/describe_instant.ts";
import { followUpsOf } from "../follow_up.ts";
import { type PlayedFlow, readReceivedCallback } from "../received_callback.ts";
import { followUpCards } from "./follow_up_cards.tsx";

/**
 * Shows an authorization response, what became of its code, and what to do with it. If the lab
 * started the flow in this browser, its token request is complete.
 */
export async function showResponse(
  lab: CoreLab,
  call: LabPageCall,
): Promise<LabPage | ResponseData> {
  const { ctx } = call;
  const received = await readReceivedCallback(lab, ctx);
  const { callback, started, sender, played } = received;
  const followUps = await followUpsOf(lab, received);
  const { request } = followUps.find(({ name }) => name === "exchange") ?? {};
  const again = started?.clientId ?? startableClients(lab)[0]?.id;
  const tokenEndpoint = findEndpointUrl(lab, "token_endpoint");
  const all = await authorizedProps(ctx, callback, {
    ...started,
    ...tokenEndpoint !== undefined && { tokenEndpoint },
    command: request && toCurl({ ...request, body: `${request.form}` }),
    startAgain: again && `${ctx.settings.base}/start?client_id=${encodeURIComponent(again)}`,
    exchangeUrl: request && "#exchange",
  });
  const props = tokenEndpoint === undefined ? { ...all, tokenRequests: [] } : all;
  const { authorized } = authorizedPages.of(lab.context.settings.pages);
  if (authorized !== authorizedPages.defaults.authorized) {
    return await pageResponse(authorized(props));
  }
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
          {callback.hasError
            ? sender && failureCause(lab, call, sender)
            : await followUpCards(lab, call, received, followUps)}
        </AuthorizedContent>
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
  const received = await readReceivedCallback(lab, call.ctx);
  const followUps = await followUpsOf(lab, received);
  const { name, request } = followUps.find((each) => each.name === call.form.get("step")) ?? {};
  if (!request) {
    const problem = "This lab didn't start that flow in this browser, or it is over.";
    throw new OAuthError("access_denied", problem, { status: 403 });
  }
  await lab.recordExchange(toIncomingRequest(request), { isOfPage: true });
  const { pathname, search } = new URL(call.request.url);
  return redirectResponse(`${pathname.replace(/\/send$/, "")}${search}#${name}`);
}

/** What became of the code: it can be redeemed, was spent, or expired. */
function codeState(
  { clock }: CoreLab,
  { base, isAlone }: LabPageCall,
  played: PlayedFlow | undefined,
): VNode {
  const kind = played?.codeState.kind;
  return (
    <p id="code-state" data-live>
      {kind && <Tag tone={stateTones[kind]}>{kind}</Tag>}
      <span>
        {played
          ? sentenceOf(played, clock.now())
          : "This lab didn't issue this code, or no longer has a record of it."}
      </span>
      {played && !isAlone && (
        <a id="flow" href={`${base}/lab/flows/${played.id}`}>See the whole flow</a>
      )}
    </p>
  );
}

function sentenceOf({ codeState: state, spentBy }: PlayedFlow, now: number): ComponentChildren {
  switch (state.kind) {
    case "active":
      return <>Expires in {countdown(state.until ?? now, now)}</>;
    case "spent":
      return (
        <>
          Spent by{" "}
          <bdi>{spentBy ?? "a client"}</bdi>. A second use revokes everything issued for it.
        </>
      );
    case "revoked":
      return `It was revoked${state.reason ? `: ${state.reason}` : ""}.`;
    case "expired":
      return `It expired${state.at === undefined ? "" : ` at ${formatInstant(state.at)}`}.`;
    case "reissued":
      return "A later login has its value, because a test chose it again.";
    case "unknown":
      return "A fault changed it.";
  }
}

/** The time that is left as minutes and seconds, "4:31". A script counts it down. */
function countdown(until: number, now: number): VNode {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <time class="countdown" dateTime={new Date(until).toISOString()} data-until={until}>
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </time>
  );
}

/** What the client can do about an authorization that failed, and what was compared. */
function failureCause(lab: CoreLab, { base, isAlone }: LabPageCall, sender: Exchange): VNode {
  const refusal = refusalOf(sender);
  const cause = refusal
    ? "This lab refused the request of the client."
    : "The request was valid. It ended this way at the pages of the server.";
  return (
    <Section
      id="cause"
      title={refusal?.fix ? "What to do" : "Why it failed"}
      actions={!isAlone && (
        <a id="flow" class="button secondary" href={`${base}/lab${flowPath(lab, sender.id)}`}>
          See what happened
        </a>
      )}
    >
      <Comparison {...refusal} />
      <p>{refusal?.fix ?? cause}</p>
    </Section>
  );
}

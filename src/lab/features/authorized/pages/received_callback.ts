import { readQuery } from "../../../../server/http/incoming_request.ts";
import type { Browser } from "../../../../server/issuer/sessions/browsers.ts";
import { type Callback, rejectOtherIssuer } from "../../../../server/protocol/callback.ts";
import {
  type FailedFlow,
  failedFlowOf,
  type PlayedFlow,
  playedFlowOf,
  readLabCallback,
} from "../../../client_role/callback_flow.ts";
import { type FollowUpFacts, introspectorFor } from "../../../client_role/follow_up.ts";
import { roleProblem } from "../../../client_role/role_request.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { findMetadata } from "../../../dialect/lab_endpoints.ts";
import { findStartedFlow, type StartedFlow } from "../../../lab_server/started_flow.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";

/** An authorization response that arrived, with everything that the lab knows about it. */
export interface ReceivedCallback {
  callback: Callback;
  /** The flow, if the lab started it in this browser. */
  started: StartedFlow | undefined;
  /** What became of the code, if it is recorded. */
  played: PlayedFlow | undefined;
  /** What became of the request, if it failed and is recorded. */
  failed: FailedFlow | undefined;
}

/** Reads the response in the query of a page. */
export async function readReceivedCallback(
  lab: CoreLab,
  { ctx }: LabPageCall,
  browser: Browser | undefined,
): Promise<ReceivedCallback> {
  const received = await readLabCallback(ctx, readQuery(ctx));
  const started = await findStartedFlow(lab.startedFlows, received.state, browser?.hash);
  // If the lab does not know the flow, it cannot know which issuer the client expects.
  const callback = started && namesIssuer(lab, received)
    ? rejectOtherIssuer(received, ctx.settings.issuer)
    : received;
  const played = callback.hasError ? undefined : await playedFlowOf(lab, callback.code);
  const failed = callback.hasError ? failedFlowOf(lab, callback) : undefined;
  return { callback, started, played, failed };
}

/** Whether a response names its issuer, or has to. Some providers never do (RFC 9207, section 2.4). */
function namesIssuer(lab: CoreLab, { issuer }: Callback): boolean {
  const { authorization_response_iss_parameter_supported: isSupported } = findMetadata(lab) ?? {};
  return issuer !== undefined || isSupported === true;
}

/** Returns what the next requests are made of, if the lab may send them. */
export function followUpFacts(
  lab: CoreLab,
  { callback, started, played }: ReceivedCallback,
): FollowUpFacts | undefined {
  const clients = lab.clients.list();
  const client = clients.find(({ id }) => id === started?.clientId);
  if (callback.hasError || !started || !client || roleProblem(client)) return undefined;
  return {
    flow: started,
    client,
    introspector: introspectorFor(client, clients),
    code: callback.code,
    accessToken: played?.accessToken,
    refreshToken: played?.refreshToken,
  };
}

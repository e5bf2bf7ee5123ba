import type { ClientConfig } from "../../../server/features.ts";
import {
  type Callback,
  invalidCallback,
  readCallback,
  rejectOtherIssuer,
} from "../../../server/features/authorized/callback.ts";
import { readQuery } from "../../../server/http/incoming_request.ts";
import type { RequestContext } from "../../../server/issuer/context.ts";
import { findBrowser } from "../../../server/issuer/sessions/browsers.ts";
import { toParameters } from "../../../server/protocol/form_parameters.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata } from "../../dialect/lab_endpoints.ts";
import { findRevocation } from "../../flows/credential_end.ts";
import { type CredentialState, statesOf } from "../../flows/credential_state.ts";
import {
  type CredentialKind,
  firstRedemption,
  readFlowCredentials,
} from "../../flows/flow_credentials.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import { findStartedFlow, type StartedFlow } from "../../lab_server/started_flow.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { callbackIn, memberOf } from "../../recording/wire_callback.ts";
import { explainToken } from "../../tokens/explain_token.ts";

/** An authorization response that arrived, with everything that the lab knows about it. */
export interface ReceivedCallback {
  callback: Callback;
  /** The flow, if the lab started it in this browser. */
  started: StartedFlow | undefined;
  /** The client of that flow. */
  client: ClientConfig | undefined;
  /** The exchange that sent the response, if it is recorded. */
  sender: Exchange | undefined;
  /** What became of the code. */
  played: PlayedFlow | undefined;
}

/** What became of a code, and of the tokens that it was exchanged for. */
export type PlayedFlow = Awaited<ReturnType<typeof playedFlowOf>>;

/** Reads the response in the query of a page. */
export async function readReceivedCallback(
  lab: CoreLab,
  ctx: RequestContext,
): Promise<ReceivedCallback> {
  const received = await readLabCallback(ctx);
  const browser = await findBrowser(ctx);
  const started = await findStartedFlow(lab.startedFlows, received.state, browser?.hash);
  // If the lab does not know the flow, it cannot know which issuer the client expects. Some providers
  // never name theirs (RFC 9207, section 2.4).
  const { authorization_response_iss_parameter_supported: isNamed } = findMetadata(lab) ?? {};
  const isChecked = started && (received.issuer !== undefined || isNamed === true);
  const callback = isChecked ? rejectOtherIssuer(received, ctx.settings.issuer) : received;
  const sender = findSender(lab, callback);
  // A fault makes a code up, and a tenant has its own: no store but this one knows what became of it.
  const isKnown = !callback.hasError &&
    await ctx.records.codes.getStored(callback.code) !== undefined;
  return {
    callback,
    started,
    client: lab.clients.list().find(({ id }) => id === started?.clientId),
    sender,
    played: sender && isKnown ? await playedFlowOf(lab, sender, callback.code) : undefined,
  };
}

/** Finds the exchange that sent a response, unless it is no longer recorded. */
export function findSender(lab: CoreLab, callback: Callback): Exchange | undefined {
  return lab.exchanges().findLast((exchange) => {
    if (!maySend(exchange, callback)) return false;
    const { code, error, error_description, state } = callbackMembers(exchange, lab.issuer);
    return callback.hasError
      ? error === callback.error && error_description === callback.errorDescription &&
        state === callback.state
      : code === callback.code;
  });
}

/** Reads an authorization response, signed or not. */
async function readLabCallback(ctx: RequestContext): Promise<Callback> {
  const query = readQuery(ctx);
  const response = query.get("response");
  if (response === undefined) return readCallback(query);
  const token = await explainToken({ context: ctx }, response);
  // The client verifies the signature before it uses the response (JARM, section 2.4).
  const isSigned = token?.signature.tone === "good";
  const { claims = {}, validity } = isSigned ? token.jwt : {};
  if (validity?.tone !== "good") {
    const problem = validity?.text ?? "its signature is not one of this server.";
    return invalidCallback(`The signed response is invalid: ${problem}`);
  }
  const members = Object.entries(claims).filter(([, value]) => typeof value === "string");
  return readCallback(toParameters(members.map(([name, value]) => [name, String(value)] as const)));
}

/** Reading each response would take long in a busy lab. */
function maySend({ events, faults }: Exchange, { hasError, error }: Callback): boolean {
  return faults.length > 0 ||
    events.some((event) =>
      hasError
        ? event.type === "request.refused" && event.error === error
        : event.type === "code.issued"
    );
}

/** Reads what a client receives in a response, plain or signed (JARM). */
function callbackMembers({ response }: Exchange, issuer: string): Record<string, unknown> {
  const callback = response && callbackIn(response, issuer);
  return readJwt(memberOf(callback, "response") ?? "")?.claims ??
    Object.fromEntries(callback?.members ?? []);
}

async function playedFlowOf(lab: CoreLab, sender: Exchange, code: string) {
  const { id, exchanges } = requireFlowSource(lab, `request-${sender.id}`);
  const credentials = readFlowCredentials(exchanges, lab.issuer);
  const states = await statesOf(lab, credentials);
  const redemption = firstRedemption(credentials, code);
  const newest = (kind: CredentialKind) =>
    credentials.issued.findLast((each) => each.kind === kind);
  const accessToken = newest("access token");
  const codeState: CredentialState = states.get(code) ?? { kind: "unknown" };
  return {
    id,
    exchanges,
    codeState,
    /** The client that redeemed the code. */
    spentBy: exchanges.find((each) => each.id === redemption?.exchange)?.request.client,
    /** The newest tokens of the flow, and the exchange that revoked the access token. */
    accessToken: accessToken?.value,
    refreshToken: newest("refresh token")?.value,
    revokedIn: accessToken && findRevocation(lab.exchanges(), accessToken)?.exchange,
  };
}

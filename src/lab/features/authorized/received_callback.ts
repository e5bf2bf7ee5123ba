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
import { textClaims } from "../../recording/credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { callbackIn, readMembers } from "../../recording/wire_callback.ts";
import { explainToken } from "../../tokens/explain_token.ts";

const ofOtherClient = invalidCallback(
  "The signed response is invalid: its audience ('aud') is not the client of this flow.",
);

/** An authorization response that arrived, with everything that the lab knows about it. */
export interface ReceivedCallback {
  callback: Callback;
  /** The flow, if the lab started it in this browser. */
  started: StartedFlow | undefined;
  client: ClientConfig | undefined;
  /** The exchange that sent the response, if it is recorded. */
  sender: Exchange | undefined;
  played: PlayedFlow | undefined;
}

/** What became of a code, and of the tokens that it was exchanged for. */
export type PlayedFlow = Awaited<ReturnType<typeof playedFlowOf>>;

/** Reads the response in the query of a page. */
export async function readReceivedCallback(
  lab: CoreLab,
  ctx: RequestContext,
): Promise<ReceivedCallback> {
  const { audience, ...received } = await readLabCallback(ctx);
  const browser = await findBrowser(ctx);
  const started = await findStartedFlow(lab.startedFlows, received.state, browser?.hash);
  // If the lab does not know the flow, it cannot know which issuer the client expects. Some providers
  // never name theirs (RFC 9207, section 2.4).
  const { authorization_response_iss_parameter_supported: isNamed } = findMetadata(lab) ?? {};
  const isChecked = started && (received.issuer !== undefined || isNamed === true);
  const ofIssuer = isChecked ? rejectOtherIssuer(received, ctx.settings.issuer) : received;
  const isOfOther = started && audience && !audience.includes(started.clientId);
  const callback = isOfOther ? { ...ofOtherClient, state: received.state } : ofIssuer;
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

/** Finds the exchange that sent a response, plain or signed, unless it is no longer recorded. */
export function findSender(
  { exchanges, issuer }: CoreLab,
  { hasError, error, errorDescription: error_description, state, code }: Callback,
): Exchange | undefined {
  const received = Object.entries(hasError ? { error, error_description, state } : { code });
  const sends = hasError ? "request.refused" : "code.issued";
  return exchanges().findLast((exchange) => {
    // Reading each response would take long in a busy lab.
    const maySend = exchange.faults.length > 0 ||
      exchange.events.some(({ type }) => type === sends);
    if (!maySend || !exchange.response) return false;
    const members = readMembers(callbackIn(exchange.response, issuer));
    return received.every(([name, value]) => members[name] === value);
  });
}

/** Reads an authorization response. A signed one has an audience. */
async function readLabCallback(
  ctx: RequestContext,
): Promise<Callback & { audience?: readonly unknown[] }> {
  const query = readQuery(ctx);
  const response = query.get("response");
  if (response === undefined) return readCallback(query);
  const { jwt, signature } = await explainToken({ context: ctx }, response) ?? {};
  // The client verifies the signature before it uses the response (JARM, section 2.4). The key must
  // be one of ours: `explainToken` also accepts a client's key or secret, and a key in the header.
  const own = await ctx.keys.find(String(jwt?.header.kid));
  const isSigned = signature?.tone === "good" && own?.alg === jwt?.header.alg;
  const { claims = {}, validity } = isSigned && jwt ? jwt : {};
  if (validity?.tone !== "good") {
    const problem = validity?.text ?? "its signature is not one of this server.";
    return invalidCallback(`The signed response is invalid: ${problem}`);
  }
  return { ...readCallback(toParameters(textClaims(claims))), audience: [claims.aud].flat() };
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
    spentBy: exchanges.find((each) => each.id === redemption?.exchange)?.request.client,
    /** The newest tokens of the flow, and the exchange that revoked the access token. */
    accessToken: accessToken?.value,
    refreshToken: newest("refresh token")?.value,
    revokedIn: accessToken && findRevocation(lab.exchanges(), accessToken)?.exchange,
  };
}

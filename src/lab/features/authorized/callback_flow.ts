import {
  type Callback,
  type CallbackError,
  readCallback,
} from "../../../server/features/authorized/callback.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { type FormParameters, toParameters } from "../../../server/protocol/form_parameters.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findRevocation } from "../../flows/credential_end.ts";
import { type CredentialState, statesOf } from "../../flows/credential_state.ts";
import {
  type CredentialKind,
  firstRedemption,
  type IssuedCredential,
  readFlowCredentials,
} from "../../flows/flow_credentials.ts";
import { flowPath, type FlowSource, requireFlowSource } from "../../flows/flow_source.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type Refusal, refusalOf } from "../../recording/refusal.ts";
import { callbackIn, memberOf } from "../../recording/wire_callback.ts";
import { explainToken } from "../../tokens/explain_token.ts";

/** Reads an authorization response, signed or not. */
export async function readLabCallback(
  ctx: Context,
  parameters: FormParameters,
): Promise<Callback> {
  const response = parameters.get("response");
  if (response === undefined) return readCallback(parameters);
  const token = await explainToken({ context: ctx }, response);
  const problem = signatureProblem(token?.signature.tone) ?? validityProblem(token?.jwt.validity);
  if (!token || problem !== undefined) {
    const errorDescription = `The signed response is invalid: ${problem}`;
    return { hasError: true, error: "invalid_request", errorDescription };
  }
  const members = Object.entries(token.jwt.claims).filter(([, value]) => typeof value === "string");
  return readCallback(toParameters(members.map(([name, value]) => [name, String(value)] as const)));
}

/** What the lab knows about an error that a client received. */
export interface FailedFlow {
  /** The path below `/lab` of the page that shows it. */
  path: string;
  /** Why the server refused the request; a user who denies it does not count. */
  refusal: Refusal | undefined;
}

/** Finds the flow that ended in an error response, unless it is no longer recorded. */
export function failedFlowOf(lab: CoreLab, error: CallbackError): FailedFlow | undefined {
  const exchange = lab.exchanges().findLast((each) => {
    if (!mayHaveSent(each, error)) return false;
    const member = callbackMembersOf(each, lab.issuer);
    return member("error") === error.error && member("state") === error.state &&
      member("error_description") === error.errorDescription;
  });
  return exchange && { path: flowPath(lab, exchange.id), refusal: refusalOf(exchange) };
}

/** What became of a code, and of the tokens that it was exchanged for. */
export interface PlayedFlow {
  source: FlowSource;
  issuing: Exchange;
  codeState: CredentialState;
  /** The client that redeemed the code. */
  spentBy?: string | undefined;
  /** The exchange that revoked the newest access token. */
  revokedIn?: number | undefined;
  /** The newest tokens of the flow. */
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/** Finds the flow that issued a code, unless the code or the flow is no longer known. */
export async function playedFlowOf(lab: CoreLab, code: string): Promise<PlayedFlow | undefined> {
  const row = await lab.context.records.codes.getStored(code);
  const all = lab.exchanges();
  const issuing = row &&
    all.findLast(({ events }) =>
      events.some((event) =>
        event.type === "code.issued" && event.authorization === row.value.authorization
      )
    );
  if (!issuing) return undefined;
  const source = requireFlowSource(lab, `request-${issuing.id}`);
  const credentials = readFlowCredentials(source.exchanges, lab.issuer);
  const states = await statesOf(lab, credentials);
  const redemption = firstRedemption(credentials, code);
  const accessToken = newest(credentials.issued, "access token");
  return {
    source,
    issuing,
    revokedIn: accessToken && findRevocation(all, accessToken)?.exchange,
    codeState: states.get(code) ?? { kind: "unknown" },
    spentBy: source.exchanges.find(({ id }) => id === redemption?.exchange)?.request.client,
    accessToken: accessToken?.value,
    refreshToken: newest(credentials.issued, "refresh token")?.value,
  };
}

/** The client verifies the signature before it uses the response (JARM, section 2.4). */
function signatureProblem(tone: string | undefined): string | undefined {
  return tone === "good" ? undefined : "its signature is not one of this server.";
}

function validityProblem(
  validity: { tone: string; text: string } | undefined,
): string | undefined {
  return validity?.tone === "good" ? undefined : validity?.text;
}

/** Reading each response would take long in a busy lab. */
function mayHaveSent({ events, faults }: Exchange, { error }: CallbackError): boolean {
  return faults.length > 0 ||
    events.some((event) => event.type === "request.refused" && event.error === error);
}

/** Reads what a client receives in a response, plain or signed (JARM). */
function callbackMembersOf({ response }: Exchange, issuer: string): (name: string) => unknown {
  const callback = response && callbackIn(response, issuer);
  const signed = readJwt(memberOf(callback, "response") ?? "");
  return (name) => signed ? signed.claims[name] : memberOf(callback, name);
}

function newest(
  issued: readonly IssuedCredential[],
  kind: CredentialKind,
): IssuedCredential | undefined {
  return issued.findLast((each) => each.kind === kind);
}

import { idJagTokenType } from "../../server/protocol/grant_types.ts";
import { type Exchange, jsonOf, redeemedParameters } from "../recording/exchange.ts";
import { refusalOf } from "../recording/refusal.ts";
import { callbackIn, readMembers } from "../recording/wire_callback.ts";

/** What a flow hands out. */
export type CredentialKind =
  | "code"
  | "device code"
  | "auth_req_id"
  | "access token"
  | "refresh token"
  | "ID token"
  | "ID-JAG";

/** A code or token that was issued in a flow. */
export interface IssuedCredential {
  kind: CredentialKind;
  value: string;
  /** The place among those of its kind in the flow, counted from 1. */
  number: number;
  /** The exchange whose response has it, and when. */
  issuedBy: number;
  issuedAt: number;
  /** How long it lives by its response, in seconds. */
  lifetime?: number | undefined;
  /** The credential that was exchanged for it. */
  parent?: string | undefined;
  authorization?: string | undefined;
}

/** A request that presents a credential. */
export interface Redemption {
  value: string;
  exchange: number;
  isAccepted: boolean;
}

/** Everything that was issued in a flow, and every request that redeemed it. */
export interface FlowCredentials {
  issued: readonly IssuedCredential[];
  redemptions: readonly Redemption[];
}

const tokenMembers: ReadonlyArray<readonly [member: string, kind: CredentialKind]> = [
  ["access_token", "access token"],
  ["id_token", "ID token"],
  ["refresh_token", "refresh token"],
];

/** Reads from the exchanges of a flow what was issued from what. */
export function readFlowCredentials(
  exchanges: readonly Exchange[],
  issuer: string,
): FlowCredentials {
  const issued: IssuedCredential[] = [];
  for (const credential of exchanges.flatMap((exchange) => issuedIn(exchange, issuer))) {
    // A response that was lost is sent again with the same refresh token.
    if (issued.some(({ value }) => value === credential.value)) continue;
    const number = issued.filter(({ kind }) => kind === credential.kind).length + 1;
    issued.push({ ...credential, number });
  }
  return { issued, redemptions: exchanges.flatMap(redemptionsIn) };
}

/** Returns the tokens that a response hands out, in the order in which texts name them. */
export function tokenKindsIn(json: Record<string, unknown>): CredentialKind[] {
  return tokenMembers.filter(([member]) => member in json).map(([, kind]) => kind);
}

/** Names a credential without revealing it: "refresh token 2". */
export function nameOf({ kind, number }: IssuedCredential, credentials: FlowCredentials): string {
  const isOnly = credentials.issued.filter((each) => each.kind === kind).length === 1;
  return isOnly ? kind : `${kind} ${number}`;
}

/** Returns the first request that redeemed a credential, other than one that came later. */
export function firstRedemption(
  { redemptions }: FlowCredentials,
  credential: string | undefined,
): Redemption | undefined {
  return redemptions.find(({ value, isAccepted }) => value === credential && isAccepted);
}

function issuedIn(exchange: Exchange, issuer: string): Array<Omit<IssuedCredential, "number">> {
  const { id, at, request, response, events } = exchange;
  if (!response) return [];
  const json = jsonOf(response) ?? {};
  const origin = { issuedBy: id, issuedAt: at, authorization: authorizationIn(events) };
  const codes = textsIn(readMembers(callbackIn(response, issuer)).code)
    .map((value) => ({ kind: "code", value } as const));
  const polled = [
    ...textsIn(json.device_code).map((value) => ({ kind: "device code", value } as const)),
    ...textsIn(json.auth_req_id).map((value) => ({ kind: "auth_req_id", value } as const)),
  ].map((each) => ({ ...each, lifetime: numberOf(json.expires_in) }));
  const isToken = request.endpoint === "token" && response.status === 200;
  const parent = isToken ? redeemedBy(exchange) : undefined;
  const tokens = isToken ? tokensIn(json).map((token) => ({ ...token, parent })) : [];
  return [...codes, ...polled, ...tokens].map((each) => ({ ...each, ...origin }));
}

function tokensIn(
  json: Record<string, unknown>,
): Array<Pick<IssuedCredential, "kind" | "value" | "lifetime">> {
  return tokenMembers.flatMap(([member, kind]) => {
    const lifetime = kind === "access token" ? numberOf(json.expires_in) : undefined;
    const issued = kind === "access token" && isIdJag(json) ? "ID-JAG" : kind;
    return textsIn(json[member]).map((value) => ({ kind: issued, value, lifetime }));
  });
}

/** The response has it in the member of an access token (RFC 8693, section 2.2.1). */
function isIdJag({ issued_token_type }: Record<string, unknown>): boolean {
  return issued_token_type === idJagTokenType;
}

function redemptionsIn(exchange: Exchange): Redemption[] {
  const value = exchange.request.endpoint === "token" ? redeemedBy(exchange) : undefined;
  if (value === undefined) return [];
  const isAccepted = exchange.response?.status === 200 && refusalOf(exchange) === undefined;
  return [{ value, exchange: exchange.id, isAccepted }];
}

function redeemedBy({ request: { form } }: Exchange): string | undefined {
  return redeemedParameters.map((name) => form.get(name) ?? undefined)
    .find((value) => value !== undefined);
}

function authorizationIn(events: Exchange["events"]): string | undefined {
  for (const event of events) {
    if (event.type === "code.issued" || event.type === "token.issued") return event.authorization;
  }
  return undefined;
}

function textsIn(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

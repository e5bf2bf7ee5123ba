import type { Actor } from "./access_token.ts";
import { OAuthError } from "./oauth_error.ts";
import type { Parameters } from "./parameters.ts";
import { required } from "./parameters.ts";

/** Which tokens a client may exchange, and for what (RFC 8693). */
export interface TokenExchangePolicy {
  /** The clients whose tokens it may present, as long as they are meant for it; any, where nothing is said. */
  subjects?: string[];
  /** What the new tokens may be for: resources, or names by which APIs are known. */
  audiences: string[];
  /** Whether a token may be given that says of nobody that they act for its subject. */
  impersonation: boolean;
  /** Whether it may present an actor, of whom the new token tells. */
  delegation: boolean;
}

/** A token that is presented, and what its client says it is. */
export interface ClaimedToken {
  parameter: "subject_token" | "actor_token";
  token: string;
  type: "access_token" | "id_token";
}

export interface ExchangeRequest {
  subject: ClaimedToken;
  actor?: ClaimedToken;
  /** The type of the new token, in the words of the request. */
  issuedType: string;
}

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

const prefix = "urn:ietf:params:oauth:token-type:";

/** The types of tokens that can be exchanged here. Our access tokens are JWTs, and other JWTs of ours stand for nothing. */
const presentable: ReadonlyMap<string, ClaimedToken["type"]> = new Map([
  [`${prefix}access_token`, "access_token"],
  [`${prefix}jwt`, "access_token"],
  [`${prefix}id_token`, "id_token"],
]);

const issuable = [`${prefix}access_token`, `${prefix}jwt`];

/** Longer chains of actors are nobody's intention. */
const longestChain = 8;

/** Reads what a client wants to exchange (RFC 8693, section 2.1). */
export function readExchangeRequest(parameters: Parameters): ExchangeRequest {
  const issuedType = parameters.get("requested_token_type") ?? issuable[0];
  if (!issuable.includes(issuedType)) throw refuseExchange(`The requested_token_type is one of: ${issuable.join(", ")}.`);
  const hasActor = parameters.get("actor_token") !== undefined || parameters.get("actor_token_type") !== undefined;
  return {
    subject: readToken(parameters, "subject_token"),
    actor: hasActor ? readToken(parameters, "actor_token") : undefined,
    issuedType,
  };
}

function readToken(parameters: Parameters, parameter: ClaimedToken["parameter"]): ClaimedToken {
  const token = required(parameters, parameter, section);
  const type = presentable.get(required(parameters, `${parameter}_type`, section));
  if (!type) throw refuseExchange(`The ${parameter}_type is one of: ${[...presentable.keys()].join(", ")}.`);
  return { parameter, token, type };
}

/** Puts an actor before those who acted until now: none of them is ever forgotten (RFC 8693, section 4.1). */
export function actorAfter(before: Actor | undefined, sub: string | undefined): Actor | undefined {
  if (sub === undefined) return before;
  if (lengthOf(before) >= longestChain) throw refuseExchange(`More than ${longestChain} parties have acted for one another already.`);
  return { sub, ...before && { act: before } };
}

function lengthOf(actor: Actor | undefined): number {
  return actor ? 1 + lengthOf(actor.act) : 0;
}

/** A token may say who alone is to act for its subject (RFC 8693, section 4.4). */
export function checkMayAct(mayAct: Record<string, unknown> | undefined, acting: Record<string, unknown>): void {
  if (mayAct === undefined || Object.entries(mayAct).every(([name, value]) => acting[name] === value)) return;
  throw refuseExchange("The subject_token says that somebody else may act for its subject.");
}

/** Whatever is wrong with a token that is presented, the error is the same (RFC 8693, section 2.2.2). */
export function refuseExchange(message: string, hint?: string): OAuthError {
  return new OAuthError("invalid_request", message, { see: section, hint });
}

const section = "RFC 8693, section 2";

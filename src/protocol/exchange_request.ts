import type { Actor } from "../model/access_token.ts";
import { type FormParameters, required } from "./form_parameters.ts";
import { errorFactory, type OAuthError } from "./oauth_error.ts";

const section = "RFC 8693, section 2";
const invalidRequest = errorFactory("invalid_request", section);

/** A token that is presented, and what its client says it is. */
export interface TokenParameter {
  parameter: "subject_token" | "actor_token";
  token: string;
  type: "access_token" | "id_token";
}

export interface ExchangeRequest {
  subject: TokenParameter;
  actor?: TokenParameter;
  /** The type of the new token, in the words of the request. */
  issuedType: string;
}

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

const prefix = "urn:ietf:params:oauth:token-type:";

/** The types of tokens that can be exchanged here. Our access tokens are JWTs, and other JWTs of ours stand for nothing. */
const presentable: ReadonlyMap<string, TokenParameter["type"]> = new Map([
  [`${prefix}access_token`, "access_token"],
  [`${prefix}jwt`, "access_token"],
  [`${prefix}id_token`, "id_token"],
]);

const issuable = [`${prefix}access_token`, `${prefix}jwt`];

/** Longer chains of actors are nobody's intention. */
const maxActors = 8;

/** Reads what a client wants to exchange (RFC 8693, section 2.1). */
export function readExchangeRequest(parameters: FormParameters): ExchangeRequest {
  const issuedType = parameters.get("requested_token_type") ?? issuable[0];
  if (!issuable.includes(issuedType)) {
    throw invalidExchange(`The requested_token_type is one of: ${issuable.join(", ")}.`);
  }
  const hasActor = parameters.get("actor_token") !== undefined ||
    parameters.get("actor_token_type") !== undefined;
  return {
    subject: readToken(parameters, "subject_token"),
    actor: hasActor ? readToken(parameters, "actor_token") : undefined,
    issuedType,
  };
}

function readToken(
  parameters: FormParameters,
  parameter: TokenParameter["parameter"],
): TokenParameter {
  const token = required(parameters, parameter, section);
  const type = presentable.get(required(parameters, `${parameter}_type`, section));
  if (!type) {
    throw invalidExchange(
      `The ${parameter}_type is one of: ${[...presentable.keys()].join(", ")}.`,
    );
  }
  return { parameter, token, type };
}

/** Puts an actor before those who acted until now: none of them is ever forgotten (RFC 8693, section 4.1). */
export function actorAfter(before: Actor | undefined, sub: string | undefined): Actor | undefined {
  if (sub === undefined) return before;
  if (lengthOf(before) >= maxActors) {
    throw invalidExchange(`More than ${maxActors} parties have acted for one another already.`);
  }
  return { sub, ...before && { act: before } };
}

function lengthOf(actor: Actor | undefined): number {
  return actor ? 1 + lengthOf(actor.act) : 0;
}

/** A token may say who alone is to act for its subject (RFC 8693, section 4.4). */
export function checkMayAct(
  mayAct: Record<string, unknown> | undefined,
  acting: Record<string, unknown>,
): void {
  if (
    mayAct === undefined || Object.entries(mayAct).every(([name, value]) => acting[name] === value)
  ) return;
  throw invalidExchange("The subject_token says that somebody else may act for its subject.");
}

/** Whatever is wrong with a token that is presented, the error is the same (RFC 8693, section 2.2.2). */
export function invalidExchange(message: string, hint?: string): OAuthError {
  return invalidRequest(message, { hint });
}

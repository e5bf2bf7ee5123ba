import type { Actor } from "../model/access_token.ts";
import { type FormParameters, requireParameter } from "./form_parameters.ts";
import { type ErrorFactory, errorFactory } from "./oauth_error.ts";

const section = "RFC 8693, section 2";

/** Every presented token that is invalid gets the same error code (RFC 8693, section 2.2.2). */
export const invalidTokenExchange: ErrorFactory = errorFactory("invalid_request", section);

const prefix = "urn:ietf:params:oauth:token-type:";
const accessTokenType = `${prefix}access_token`;
const jwtType = `${prefix}jwt`;

/** The token types that can be presented. Our access tokens are JWTs, so both names fit them. */
const presentableTypes: ReadonlyMap<string, TokenParameter["type"]> = new Map([
  [accessTokenType, "access_token"],
  [jwtType, "access_token"],
  [`${prefix}id_token`, "id_token"],
]);

/** The token types that can be requested. */
const issuableTypes = [accessTokenType, jwtType];

/** Limits the chain of actors. A longer one is a mistake. */
const maxActors = 8;

/** A presented token, with the type that its client claims. */
export interface TokenParameter {
  parameter: "subject_token" | "actor_token";
  token: string;
  type: "access_token" | "id_token";
}

export interface TokenExchangeRequest {
  subject: TokenParameter;
  actor?: TokenParameter | undefined;
  /** The type of the new token, as the request wrote it. */
  issuedType: string;
}

/** Reads a token exchange request (RFC 8693, section 2.1). */
export function readTokenExchangeRequest(parameters: FormParameters): TokenExchangeRequest {
  const issuedType = parameters.get("requested_token_type") ?? accessTokenType;
  if (!issuableTypes.includes(issuedType)) {
    throw invalidTokenExchange(
      `The requested_token_type must be one of: ${issuableTypes.join(", ")}.`,
    );
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
  const token = requireParameter(parameters, parameter, section);
  const type = presentableTypes.get(requireParameter(parameters, `${parameter}_type`, section));
  if (type) return { parameter, token, type };
  throw invalidTokenExchange(
    `The ${parameter}_type must be one of: ${[...presentableTypes.keys()].join(", ")}.`,
  );
}

/** Puts a new actor in front of the previous ones, which are all kept (RFC 8693, section 4.1). */
export function addActor(previous: Actor | undefined, sub: string | undefined): Actor | undefined {
  if (sub === undefined) return previous;
  if (chainLength(previous) >= maxActors) {
    throw invalidTokenExchange(`The chain of actors has ${maxActors} entries already.`);
  }
  return { sub, ...previous && { act: previous } };
}

function chainLength(actor: Actor | undefined): number {
  return actor ? 1 + chainLength(actor.act) : 0;
}

/**
 * Checks that the `may_act` of a token, if it has one, names this actor (RFC 8693, section 4.4).
 */
export function checkMayAct(
  mayAct: Record<string, unknown> | undefined,
  actor: Record<string, unknown>,
): void {
  const expected = Object.entries(mayAct ?? {});
  if (expected.every(([name, value]) => actor[name] === value)) return;
  throw invalidTokenExchange("The 'may_act' of the subject_token names a different actor.");
}

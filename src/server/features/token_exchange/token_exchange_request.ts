import type { Actor } from "../../model/access_token.ts";
import { readRequestedAccess } from "../../protocol/access_request.ts";
import { type FormParameters, requiresParameter } from "../../protocol/form_parameters.ts";
import {
  type ApplyRule,
  compared,
  requirePresent,
  requireValue,
  type Rule,
  ruleSet,
} from "../../protocol/rule.ts";

/** How the name of each token type begins (RFC 8693, section 3). */
export const tokenTypePrefix = "urn:ietf:params:oauth:token-type:";
const accessTokenType = `${tokenTypePrefix}access_token`;
const jwtType = `${tokenTypePrefix}jwt`;

/** The token types that can be presented. Our access tokens are JWTs, so both names fit them. */
const presentableTypes: ReadonlyMap<string, TokenParameter["type"]> = new Map([
  [accessTokenType, "access_token"],
  [jwtType, "access_token"],
  [`${tokenTypePrefix}id_token`, "id_token"],
]);

const issuableTypes = [accessTokenType, jwtType];

/** Limits the chain of actors. A longer one is a mistake. */
const maxActors = 8;

/** A presented token, with the type that its client claims. */
export interface TokenParameter {
  parameter: "subject_token" | "actor_token";
  token: string;
  type: "access_token" | "id_token";
}

/** A presented token, with its type as the request wrote it. */
export interface NamedToken {
  token: string;
  named: string;
}

/** Every presented token that is invalid gets the same error code (RFC 8693, section 2.2.2). */
const about = { see: "RFC 8693, section 2", error: "invalid_request" } as const;

const tokenTypes = {
  ...compared,
  fix: "Present an access token or an ID token of this server, with its type.",
};

const exchangeRules = ruleSet("exchange", about, {
  requested_type: {
    ...compared,
    parameter: "requested_token_type",
    title: "The requested_token_type must be that of an access token",
  },
  subject_token_type: {
    ...tokenTypes,
    parameter: "subject_token_type",
    title: "The subject_token_type must be one that the server supports",
  },
  actor_token_type: {
    ...tokenTypes,
    parameter: "actor_token_type",
    title: "The actor_token_type must be one that the server supports",
  },
  actors: {
    parameter: "actor_token",
    title: `The chain of actors must have fewer than ${maxActors} entries`,
    fix: "Exchange an earlier token of the chain instead.",
    holds: (previous: Actor | undefined) => chainLength(previous) < maxActors,
  },
});

/** The rules that a request has a token parameter and its type. */
const presenceRules = {
  subject_token: presenceRule("subject_token"),
  subject_token_type: presenceRule("subject_token_type"),
  actor_token: presenceRule("actor_token"),
  actor_token_type: presenceRule("actor_token_type"),
};

function presenceRule(parameter: string): Rule<string | undefined> {
  return ruleSet(parameter, about, { present: requiresParameter(parameter) }).present;
}

/** Reads a token exchange request (RFC 8693, section 2.1). */
export function readTokenExchangeRequest(
  apply: ApplyRule,
  parameters: FormParameters,
) {
  const issuedType = parameters.get("requested_token_type") ?? accessTokenType;
  apply(exchangeRules.requested_type, { received: issuedType, expected: issuableTypes });
  const hasActor = parameters.get("actor_token") !== undefined ||
    parameters.get("actor_token_type") !== undefined;
  return {
    subject: readToken(apply, parameters, "subject_token"),
    actor: hasActor ? readToken(apply, parameters, "actor_token") : undefined,
    /** The type of the new token, as the request wrote it. */
    issuedType,
    access: readRequestedAccess(parameters, { audienceParameter: true }),
  };
}

/** Reads the subject's token, with its type as the request wrote it. */
export function readSubjectToken(apply: ApplyRule, parameters: FormParameters): NamedToken {
  return readNamedToken(apply, parameters, "subject_token");
}

function readToken(
  apply: ApplyRule,
  parameters: FormParameters,
  parameter: TokenParameter["parameter"],
): TokenParameter {
  const { token, named } = readNamedToken(apply, parameters, parameter);
  const types = { received: named, expected: [...presentableTypes.keys()] };
  const rule = exchangeRules[`${parameter}_type`];
  const type = requireValue(apply, rule, types, presentableTypes.get(named));
  return { parameter, token, type };
}

function readNamedToken(
  apply: ApplyRule,
  parameters: FormParameters,
  parameter: TokenParameter["parameter"],
): NamedToken {
  const typeParameter = `${parameter}_type` as const;
  const token = requirePresent(apply, presenceRules[parameter], parameters.get(parameter));
  const named = requirePresent(apply, presenceRules[typeParameter], parameters.get(typeParameter));
  return { token, named };
}

/** Puts a new actor in front of the previous ones, which are all kept (RFC 8693, section 4.1). */
export function addActor(
  apply: ApplyRule,
  previous: Actor | undefined,
  sub: string | undefined,
): Actor | undefined {
  if (sub === undefined) return previous;
  apply(exchangeRules.actors, previous);
  return { sub, ...previous && { act: previous } };
}

function chainLength(actor: Actor | undefined): number {
  return actor ? 1 + chainLength(actor.act) : 0;
}

import type { Actor } from "../model/access_token.ts";
import { readRequestedAccess, type RequestedAccess } from "./access_request.ts";
import type { FormParameters } from "./form_parameters.ts";
import { presenceRule } from "./form_rules.ts";
import { type ApplyRule, requirePresent, requireValue, type Rule } from "./rule.ts";

/** Every presented token that is invalid gets the same error code (RFC 8693, section 2.2.2). */
const about = { see: "RFC 8693, section 2", error: "invalid_request" } as const;

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

/** A presented token, with its type as the request wrote it. */
export interface NamedToken {
  token: string;
  named: string;
}

export interface TokenExchangeRequest {
  subject: TokenParameter;
  actor?: TokenParameter | undefined;
  /** The type of the new token, as the request wrote it. */
  issuedType: string;
  access: RequestedAccess;
}

const issuedTypeIsSupported: Rule<string> = {
  ...about,
  id: "exchange.requested_type",
  title: "The requested_token_type is supported",
  parameter: "requested_token_type",
  message: `The requested_token_type must be one of: ${issuableTypes.join(", ")}.`,
  advice: "Request an access token.",
  holds: (type) => issuableTypes.includes(type),
  expected: () => issuableTypes.join(" or "),
  came: (type) => type,
};

/** The rules of a token parameter and its type. */
interface TokenParameterRules {
  isPresent: Rule<string | undefined>;
  typeIsPresent: Rule<string | undefined>;
  typeIsSupported: Rule<string>;
}

const tokenRules: Readonly<Record<TokenParameter["parameter"], TokenParameterRules>> = {
  subject_token: rulesOf("subject_token"),
  actor_token: rulesOf("actor_token"),
};

function rulesOf(token: TokenParameter["parameter"]): TokenParameterRules {
  const parameter = `${token}_type`;
  const types = [...presentableTypes.keys()];
  return {
    isPresent: presenceRule({ ...about, parameter: token }),
    typeIsPresent: presenceRule({ ...about, parameter }),
    typeIsSupported: {
      ...about,
      id: `exchange.${parameter}`,
      title: `The ${parameter} is supported`,
      parameter,
      message: `The ${parameter} must be one of: ${types.join(", ")}.`,
      advice: "Present an access token or an ID token of this server, with its type.",
      holds: (type) => presentableTypes.has(type),
      expected: () => types.join(" or "),
      came: (type) => type,
    },
  };
}

const actorsAreFew: Rule<Actor | undefined> = {
  ...about,
  id: "exchange.actors",
  title: `The chain of actors has fewer than ${maxActors} entries`,
  parameter: "actor_token",
  message: `The chain of actors has ${maxActors} entries already.`,
  advice: "Exchange an earlier token of the chain instead.",
  holds: (previous) => chainLength(previous) < maxActors,
};

/** RFC 8693, section 4.4. */
export const actorIsNamedByMayAct: Rule<
  { mayAct: Record<string, unknown> | undefined; actor: Record<string, unknown> }
> = {
  ...about,
  id: "exchange.may_act",
  title: "The 'may_act' of the subject_token names the actor",
  see: "RFC 8693, section 4.4",
  parameter: "subject_token",
  message: "The 'may_act' of the subject_token names a different actor.",
  advice: "Use the actor that the 'may_act' of the subject_token names.",
  holds: ({ mayAct, actor }) =>
    Object.entries(mayAct ?? {}).every(([name, value]) => actor[name] === value),
  expected: ({ mayAct }) => JSON.stringify(mayAct),
  came: ({ actor }) => JSON.stringify(actor),
};

/** Reads a token exchange request (RFC 8693, section 2.1). */
export function readTokenExchangeRequest(
  apply: ApplyRule,
  parameters: FormParameters,
): TokenExchangeRequest {
  const issuedType = parameters.get("requested_token_type") ?? accessTokenType;
  apply(issuedTypeIsSupported, issuedType);
  const hasActor = parameters.get("actor_token") !== undefined ||
    parameters.get("actor_token_type") !== undefined;
  return {
    subject: readToken(apply, parameters, "subject_token"),
    actor: hasActor ? readToken(apply, parameters, "actor_token") : undefined,
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
  const { typeIsSupported } = tokenRules[parameter];
  const type = requireValue(apply, typeIsSupported, named, presentableTypes.get(named));
  return { parameter, token, type };
}

function readNamedToken(
  apply: ApplyRule,
  parameters: FormParameters,
  parameter: TokenParameter["parameter"],
): NamedToken {
  const { isPresent, typeIsPresent } = tokenRules[parameter];
  const token = requirePresent(apply, isPresent, parameters.get(parameter));
  const named = requirePresent(apply, typeIsPresent, parameters.get(`${parameter}_type`));
  return { token, named };
}

/** Puts a new actor in front of the previous ones, which are all kept (RFC 8693, section 4.1). */
export function addActor(
  apply: ApplyRule,
  previous: Actor | undefined,
  sub: string | undefined,
): Actor | undefined {
  if (sub === undefined) return previous;
  apply(actorsAreFew, previous);
  return { sub, ...previous && { act: previous } };
}

function chainLength(actor: Actor | undefined): number {
  return actor ? 1 + chainLength(actor.act) : 0;
}

import type { ExchangeableToken } from "../issuer/tokens/exchangeable_tokens.ts";
import { listAudiences } from "../model/access_token.ts";
import { type Client, isPublic, type TokenExchangePolicy } from "../model/client.ts";
import type { Rule } from "../protocol/rule.ts";
import type { TokenParameter } from "../protocol/token_exchange_request.ts";

const about = { see: "RFC 8693, section 2", error: "invalid_request" } as const;

/** Limits repeated exchanges: a check of a token also checks all that it was exchanged for. */
const maxChainLength = 10;

export const clientMayExchange: Rule<Client> = {
  ...about,
  id: "exchange.client",
  title: "The client has a policy for exchanging tokens",
  parameter: "client_id",
  error: "unauthorized_client",
  message: "This client has no policy that allows it to exchange tokens.",
  advice: "Give a confidential client the setting 'tokenExchange'.",
  // Untestable (&& became ||): the rules for clients refuse this grant without a policy, and
  // the policy of a public client.
  holds: (client) => !isPublic(client) && client.tokenExchange !== undefined,
};

/** What a client may do, and the actor of its request. */
interface ExchangeKind {
  policy: TokenExchangePolicy;
  actor: TokenParameter | undefined;
}

export const delegationIsAllowed: Rule<ExchangeKind> = {
  ...about,
  id: "exchange.delegation",
  title: "The client may use delegation, if the request has an actor_token",
  see: "RFC 8693, section 1.1",
  parameter: "actor_token",
  error: "unauthorized_client",
  message: "This client may not exchange tokens with an actor_token (delegation).",
  advice: "Omit the actor_token, or allow delegation in the client's policy.",
  holds: ({ policy, actor }) => actor === undefined || policy.delegation,
};

export const impersonationIsAllowed: Rule<ExchangeKind> = {
  ...about,
  id: "exchange.impersonation",
  title: "The client may use impersonation, unless the request has an actor_token",
  see: "RFC 8693, section 1.1",
  parameter: "actor_token",
  error: "unauthorized_client",
  message: "This client may not exchange tokens without an actor_token (impersonation).",
  advice: "Send an actor_token, or allow impersonation in the client's policy.",
  holds: ({ policy, actor }) => actor !== undefined || policy.impersonation,
};

/** A presented token as it was found, and who presents it. */
interface ExchangedToken {
  parameter: TokenParameter["parameter"];
  token: ExchangeableToken | undefined;
  client: Client;
  jkt: string | undefined;
  /** What came, unless it is an active token of the type; only where errors are explained. */
  problem: string | undefined;
}

/** Comes first: only a client that may have the token learns that a key protects it. */
export const tokenIsForClient: Rule<ExchangedToken> = {
  ...about,
  id: "exchange.token",
  title: "The presented token is active, and meant for this client",
  parameterIn: ({ parameter }) => parameter,
  message: ({ parameter }) =>
    `The ${parameter} is unknown, expired, revoked, or not meant for this client.`,
  advice: "Present an active token that was issued to this client or is meant for it.",
  holds: ({ token, client }) => token !== undefined && isLegitimateHolder(client, token),
  expected: ({ client }) => `an active token for the client '${client.id}'`,
  came: ({ token, problem }) => {
    if (!token) return problem;
    return `one issued to '${token.clientId}', for ${listAudiences(token.claims).join(", ")}`;
  },
};

/** Otherwise an exchange would turn a bound token into one that anyone can use (CVE-2024-49755). */
export const boundTokenIsProven: Rule<ExchangedToken> = {
  ...about,
  id: "exchange.key",
  title: "The presented token comes with a proof of its key, if it is bound to one",
  see: "RFC 9449, section 5",
  parameter: "DPoP",
  message: ({ parameter }) =>
    `The ${parameter} is bound to a key. Send a DPoP proof made with that key.`,
  advice: "Sign a DPoP proof with the key of the token.",
  holds: ({ token, jkt }) => !token?.claims.cnf || token.claims.cnf.jkt === jkt,
  expected: ({ token }) => token?.claims.cnf ? `the key ${token.claims.cnf.jkt}` : "any key",
  came: ({ jkt }) => jkt === undefined ? "no proof" : `the key ${jkt}`,
};

export const subjectIsAllowed: Rule<
  { subject: ExchangeableToken; policy: TokenExchangePolicy; client: Client }
> = {
  ...about,
  id: "exchange.subject",
  title: "The client may exchange tokens of the client that the subject_token was issued to",
  parameter: "subject_token",
  message: ({ client }) =>
    `The client '${client.id}' may not exchange tokens of the client that the subject_token was ` +
    "issued to.",
  advice: "Add the client of the subject_token to the 'subjects' of the policy.",
  holds: ({ subject, policy: { subjects } }) => subjects?.includes(subject.clientId) ?? true,
  expected: ({ policy }) => policy.subjects?.join(" or ") ?? "any client",
  came: ({ subject }) => subject.clientId,
};

export const chainIsShort: Rule<ExchangeableToken> = {
  ...about,
  id: "exchange.chain",
  title: `The subject_token was exchanged fewer than ${maxChainLength - 1} times`,
  parameter: "subject_token",
  message: `The subject_token was exchanged ${maxChainLength - 1} times already.`,
  advice: "Exchange an earlier token of the chain instead.",
  holds: ({ chain }) => chain.length < maxChainLength,
};

export const someScopeIsAllowed: Rule<{ allowed: readonly string[] }> = {
  ...about,
  id: "exchange.scope",
  title: "The subject_token has a scope that the client may request",
  parameter: "scope",
  error: "invalid_scope",
  message: "The scope of the subject_token contains nothing that this client may request.",
  advice: "Allow the client a scope of the tokens that it exchanges.",
  holds: ({ allowed }) => allowed.length > 0,
};

function isLegitimateHolder(client: Client, { claims, clientId }: ExchangeableToken): boolean {
  const isAudience = (aud: string) => aud === client.id || client.resources.includes(aud);
  return clientId === client.id || listAudiences(claims).some(isAudience);
}

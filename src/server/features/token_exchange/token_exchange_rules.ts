import type { Authorization } from "../../issuer/records/rows.ts";
import {
  type AccessTokenClaims,
  type AuthorizationDetail,
  listAudiences,
} from "../../model/access_token.ts";
import { type Client, type ClientReference, isPublic } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { compared, ruleSet } from "../../protocol/rule.ts";
import { exchangePolicies, type TokenExchangePolicy } from "./config.ts";
import type { TokenParameter } from "./token_exchange_request.ts";

/** Limits repeated exchanges: a check of a token also checks all that it was exchanged for. */
const maxChainLength = 10;

/** An active token of this server, with what an exchange has to know about it. */
export interface ExchangeableToken {
  claims: AccessTokenClaims;
  /** The ids of the tokens that were exchanged one for the next, and last the id of this one. */
  chain: readonly string[];
  /** The client that it was issued to. */
  clientId: string;
  scope: string[];
  authorizationDetails: AuthorizationDetail[] | undefined;
  authorization: Authorization | undefined;
  /** None for a client that acts for itself. */
  user: User | undefined;
  /** The clients that exchanged it before, in order. */
  exchangedBy: readonly ClientReference[];
}

/** What a client may do, and the actor of its request. */
interface ExchangeKind {
  policy: TokenExchangePolicy;
  actor: TokenParameter | undefined;
}

/** A presented token as it was found, and who presents it. */
interface ExchangedToken {
  parameter: TokenParameter["parameter"];
  token: ExchangeableToken | undefined;
  client: Client;
  /** What came, unless it is an active token of the type; only with `hints`. */
  problem: string | undefined;
}

const about = { see: "RFC 8693, section 2", error: "invalid_request" } as const;

export const exchangeRules = ruleSet("exchange", about, {
  client: {
    parameter: "client_id",
    error: "unauthorized_client",
    title: "The client must have a policy that allows it to exchange tokens",
    fix: "Give a confidential client the setting 'tokenExchange'.",
    holds: (client: Client) =>
      !isPublic(client) && exchangePolicies.of(client).tokenExchange !== undefined,
  },
  delegation: {
    see: "RFC 8693, section 1.1",
    parameter: "actor_token",
    error: "unauthorized_client",
    title: "A client must be allowed delegation to send an actor_token",
    fix: "Omit the actor_token, or allow delegation in the client's policy.",
    holds: ({ policy, actor }: ExchangeKind) => actor === undefined || policy.delegation,
  },
  impersonation: {
    see: "RFC 8693, section 1.1",
    parameter: "actor_token",
    error: "unauthorized_client",
    title: "A client must be allowed impersonation to exchange a token without an actor_token",
    fix: "Send an actor_token, or allow impersonation in the client's policy.",
    holds: ({ policy, actor }: ExchangeKind) => actor !== undefined || policy.impersonation,
  },
  // Comes first: only a client that may have the token learns that a key protects it.
  token: {
    parameterIn: ({ parameter }) => parameter,
    title: "The presented token must be active, and issued to the client or meant for it",
    message: ({ parameter }) =>
      `The ${parameter} is unknown, expired, revoked, or not meant for this client.`,
    holds: ({ token, client }: ExchangedToken) =>
      token !== undefined && isLegitimateHolder(client, token),
    expected: ({ client }) => `an active token for the client '${client.id}'`,
    received: ({ token, problem }) => {
      if (!token) return problem;
      return `one issued to '${token.clientId}', for ${listAudiences(token.claims).join(", ")}`;
    },
  },
  // Otherwise an exchange would turn a bound token into one that anyone can use (CVE-2024-49755).
  key: {
    ...compared,
    see: "RFC 9449, section 5",
    parameter: "DPoP",
    title: "The DPoP proof must be made with the key that the presented token is bound to",
  },
  subject: {
    ...compared,
    parameter: "subject_token",
    title:
      "The subject_token must have been issued to a client whose tokens this client may exchange",
    fix: "Add the client of the subject_token to the 'subjects' of the policy.",
  },
  chain: {
    parameter: "subject_token",
    title: `The subject_token must not have been exchanged ${maxChainLength - 1} times already`,
    fix: "Exchange an earlier token of the chain instead.",
    holds: ({ chain }: ExchangeableToken) => chain.length < maxChainLength,
  },
  may_act: {
    see: "RFC 8693, section 4.4",
    parameter: "subject_token",
    title: "The actor must be the one that the 'may_act' of the subject_token names",
    holds: ({ mayAct, actor }: {
      mayAct: Record<string, unknown> | undefined;
      actor: Record<string, unknown>;
    }) => Object.entries(mayAct ?? {}).every(([name, value]) => actor[name] === value),
    expected: ({ mayAct }) => JSON.stringify(mayAct),
    received: ({ actor }) => JSON.stringify(actor),
  },
  scope: {
    parameter: "scope",
    error: "invalid_scope",
    title: "The subject_token must have a scope that the client may request",
    fix: "Allow the client a scope of the tokens that it exchanges.",
    holds: ({ allowed }: { allowed: readonly string[] }) => allowed.length > 0,
  },
});

function isLegitimateHolder(client: Client, { claims, clientId }: ExchangeableToken): boolean {
  const isAudience = (aud: string) => aud === client.id || client.resources.includes(aud);
  return clientId === client.id || listAudiences(claims).some(isAudience);
}

import type { Context } from "../issuer/context.ts";
import { type ExchangeableToken, findExchangeable } from "../issuer/tokens/exchangeable_tokens.ts";
import { exchangeChain } from "../issuer/tokens/token_ids.ts";
import type { AccessRights } from "../model/access_rights.ts";
import { type Client, isPublic, type TokenExchangePolicy } from "../model/client.ts";
import { detailsOfTypes, narrowAuthorizationDetails } from "../protocol/authorization_details.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";
import { tokenExchangeGrantType } from "../protocol/grant_types.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import { narrowTargets } from "../protocol/resource.ts";
import { narrowScope } from "../protocol/scope.ts";
import {
  addActor,
  checkMayAct,
  invalidTokenExchange,
  readTokenExchangeRequest,
  type TokenParameter,
} from "../protocol/token_exchange_request.ts";
import type { Grant, TokenRequest } from "./grant.ts";

const section = "RFC 8693, section 2";
const unauthorizedClient = errorFactory("unauthorized_client", section);
const invalidScope = errorFactory("invalid_scope", section);

/** Limits repeated exchanges: a check of a token also checks all that it was exchanged for. */
const maxChainLength = 10;

/** Exchanges a token for one with the same or narrower access (RFC 8693). */
export const tokenExchangeGrant: Grant = {
  type: tokenExchangeGrantType,
  async redeem(ctx, request) {
    const { client, parameters } = request;
    const policy = requirePolicy(client);
    const exchange = readTokenExchangeRequest(parameters);
    checkKind(policy, exchange.actor);
    const subject = await requireToken(ctx, request, exchange.subject);
    const actor = exchange.actor && await requireToken(ctx, request, exchange.actor);
    checkSubject(policy, subject, client);
    checkChainLength(subject);
    checkMayAct(subject.claims.may_act, {
      iss: ctx.settings.issuer,
      sub: actor?.claims.sub ?? client.id,
      client_id: client.id,
    });
    const entitlement = {
      ...exchangedAccess(parameters, client, policy, subject),
      authorization: subject.authorization,
      subjectToken: { ...subject.claims, exchangedBy: subject.exchangedBy },
      actor: addActor(subject.claims.act, actor?.claims.sub),
      accessTokenOnly: true,
    };
    return { entitlement, responseMembers: { issued_token_type: exchange.issuedType } };
  },
};

function requirePolicy(client: Client): TokenExchangePolicy {
  if (!isPublic(client) && client.tokenExchange) return client.tokenExchange;
  throw unauthorizedClient("This client has no policy that allows it to exchange tokens.");
}

/** Checks that the client may delegate (with an actor) or impersonate (without one). */
function checkKind(
  { delegation, impersonation }: TokenExchangePolicy,
  actor: TokenParameter | undefined,
): void {
  const see = "RFC 8693, section 1.1";
  if (actor && !delegation) {
    throw unauthorizedClient(
      "This client may not exchange tokens with an actor_token (delegation).",
      { see },
    );
  }
  if (!actor && !impersonation) {
    throw unauthorizedClient(
      "This client may not exchange tokens without an actor_token (impersonation).",
      { see },
    );
  }
}

/** Finds an active token that was issued to this client, or is meant for it. */
async function requireToken(
  ctx: Context,
  { client, jkt }: TokenRequest,
  presented: TokenParameter,
): Promise<ExchangeableToken> {
  const token = await findExchangeable(ctx, presented);
  // Otherwise an exchange would turn a bound token into one that anyone can use (CVE-2024-49755).
  if (token?.claims.cnf && token.claims.cnf.jkt !== jkt) {
    throw invalidTokenExchange(
      `The ${presented.parameter} is bound to a key. Send a DPoP proof made with that key.`,
    );
  }
  if (token && isLegitimateHolder(client, token)) return token;
  const hint = token
    ? `It was issued to '${token.clientId}', for ${[token.claims.aud].flat().join(", ")}.`
    : "It is unknown, expired or revoked, or it has a different type.";
  throw invalidTokenExchange(
    `The ${presented.parameter} is unknown, expired, revoked, or not meant for this client.`,
    { hint },
  );
}

function isLegitimateHolder(client: Client, { claims, clientId }: ExchangeableToken): boolean {
  const isAudience = (aud: string) => aud === client.id || client.resources.includes(aud);
  return clientId === client.id || [claims.aud].flat().some(isAudience);
}

function checkSubject(
  { subjects }: TokenExchangePolicy,
  { clientId }: ExchangeableToken,
  client: Client,
): void {
  if (subjects === undefined || subjects.includes(clientId)) return;
  throw invalidTokenExchange(
    `The client '${client.id}' may not exchange tokens of the client that the subject_token was issued to.`,
  );
}

function checkChainLength({ claims }: ExchangeableToken): void {
  if (exchangeChain(claims.jti).length < maxChainLength) return;
  throw invalidTokenExchange(
    `The subject_token was exchanged ${maxChainLength - 1} times already.`,
  );
}

/** Narrows the access of the subject's token to the request, the policy and the client. */
function exchangedAccess(
  parameters: FormParameters,
  client: Client,
  { audiences }: TokenExchangePolicy,
  { scope, authorizationDetails }: ExchangeableToken,
): AccessRights {
  const targets = { resources: parameters.all("resource"), audiences: parameters.all("audience") };
  return {
    scope: narrowScope(parameters.get("scope"), allowedScope(scope, client)),
    resources: narrowTargets(targets, audiences),
    authorizationDetails: narrowAuthorizationDetails(
      parameters.get("authorization_details"),
      detailsOfTypes(authorizationDetails, client.authorizationDetailsTypes),
    ),
  };
}

/** Returns the part of a scope that this client may have. Offline access is never handed on. */
function allowedScope(scope: readonly string[], client: Client): string[] {
  const allowed = scope.filter((token) =>
    client.scopes.includes(token) && token !== "offline_access"
  );
  if (allowed.length > 0) return allowed;
  throw invalidScope(
    "The scope of the subject_token contains nothing that this client may request.",
  );
}

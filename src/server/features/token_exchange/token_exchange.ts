import type { GrantOutcome, TokenRequest } from "../../grants/grant.ts";
import { findActiveAuthorization } from "../../issuer/authorizations/active_authorization.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { verifyOwnJwt } from "../../issuer/keys/own_jwt.ts";
import { findActiveToken } from "../../issuer/tokens/active_tokens.ts";
import { checkCertificate } from "../../issuer/tokens/proof_of_possession.ts";
import { concernedBy, readTokenId } from "../../issuer/tokens/token_ids.ts";
import { describeUnusableToken } from "../../issuer/tokens/unusable_token.ts";
import {
  type AccessRights,
  type AccessTokenClaims,
  exchangedBy,
} from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { mayUse } from "../../model/user.ts";
import { narrowAccessRights, type RequestedAccess } from "../../protocol/access_request.ts";
import { detailsOfTypes } from "../../protocol/authorization_details.ts";
import { certificateRules } from "../../protocol/certificate_rules.ts";
import { idJagTokenType } from "../../protocol/grant_types.ts";
import { requireValue } from "../../protocol/rule.ts";
import { readScope } from "../../protocol/scope.ts";
import { exchangePolicies } from "./config.ts";
import { exchangeForIdJag } from "./exchange_for_id_jag.ts";
import {
  addActor,
  readTokenExchangeRequest,
  type TokenParameter,
} from "./token_exchange_request.ts";
import { type ExchangeableToken, exchangeRules } from "./token_exchange_rules.ts";

/** Exchanges a token for one with the same or narrower access (RFC 8693). */
export async function exchangeToken(
  ctx: RequestContext,
  request: TokenRequest,
): Promise<GrantOutcome> {
  const { client, parameters } = request;
  if (parameters.get("requested_token_type") === idJagTokenType) {
    return await exchangeForIdJag(ctx, request);
  }
  const { tokenExchange } = exchangePolicies.of(client);
  const policy = requireValue(ctx.apply, exchangeRules.client, client, tokenExchange);
  const exchange = readTokenExchangeRequest(ctx.apply, parameters);
  ctx.apply(exchangeRules.delegation, { policy, actor: exchange.actor });
  ctx.apply(exchangeRules.impersonation, { policy, actor: exchange.actor });
  const subject = await requireToken(ctx, request, exchange.subject);
  const actor = exchange.actor && await requireToken(ctx, request, exchange.actor);
  // The actor's token was read last, but the request concerns the subject's.
  ctx.note(concernedBy(subject.claims.jti));
  if (policy.subjects) {
    ctx.apply(exchangeRules.subject, { received: subject.clientId, expected: policy.subjects });
  }
  ctx.apply(exchangeRules.chain, subject);
  ctx.apply(exchangeRules.may_act, {
    mayAct: subject.claims.may_act,
    actor: {
      iss: ctx.settings.issuer,
      sub: actor?.claims.sub ?? client.id,
      client_id: client.id,
    },
  });
  const entitlement = {
    ...exchangedAccess(ctx, exchange.access, client, subject),
    authorization: subject.authorization,
    subjectToken: { ...subject.claims, exchangedBy: subject.exchangedBy },
    actor: addActor(ctx.apply, subject.claims.act, actor?.claims.sub),
    accessTokenOnly: true,
  };
  return { entitlement, responseMembers: { issued_token_type: exchange.issuedType } };
}

/** Finds an active token that was issued to this client, or is meant for it. */
async function requireToken(
  ctx: RequestContext,
  { client, jkt }: TokenRequest,
  { token: text, type, parameter }: TokenParameter,
): Promise<ExchangeableToken> {
  const found = type === "id_token"
    ? await findIdToken(ctx, text)
    : await findAccessToken(ctx, text);
  const token = found?.user && !mayUse(found.user, client) ? undefined : found;
  const problem = token ? undefined : await describeUnusableToken(ctx, text);
  const facts = { parameter, token, client, problem };
  const exchanged = requireValue(ctx.apply, exchangeRules.token, facts, token);
  const { cnf = {} } = exchanged.claims;
  if (cnf.jkt !== undefined) ctx.apply(exchangeRules.key, { received: jkt, expected: cnf.jkt });
  await checkCertificate(ctx, certificateRules.exchanged_token, cnf["x5t#S256"]);
  return exchanged;
}

async function findAccessToken(
  ctx: Context,
  token: string,
): Promise<ExchangeableToken | undefined> {
  const activeToken = await findActiveToken(ctx, token);
  if (activeToken?.kind !== "access") return undefined;
  const { claims, origin, client, active } = activeToken;
  return {
    claims,
    chain: origin.chain,
    clientId: client.id,
    scope: claims.scope.split(" "),
    authorizationDetails: claims.authorization_details,
    authorization: active?.authorization,
    user: active?.user,
    exchangedBy: exchangedBy(claims),
  };
}

/** An ID token has no scope: it represents everything that was allowed when it was issued. */
async function findIdToken(ctx: Context, token: string): Promise<ExchangeableToken | undefined> {
  const claims = await verifyOwnJwt(ctx, token, "id token") as AccessTokenClaims | undefined;
  if (typeof claims?.jti !== "string") return undefined;
  const { authorizationId, chain } = readTokenId(claims.jti);
  if (authorizationId === undefined) return undefined;
  const active = await findActiveAuthorization(ctx, { authorization: authorizationId });
  if (!active || claims.aud !== active.client.id) return undefined;
  const { authorization, client, user } = active;
  const { scope, authorizationDetails } = authorization;
  return {
    claims,
    chain,
    clientId: client.id,
    scope,
    authorizationDetails,
    authorization,
    user,
    exchangedBy: [],
  };
}

/** Narrows the access of the subject's token to the request, the policy and the client. */
function exchangedAccess(
  { apply, settings }: Context,
  requested: RequestedAccess,
  client: Client,
  { scope, authorizationDetails }: ExchangeableToken,
): AccessRights {
  // Offline access is never handed on.
  const scopes = scope.filter((token) =>
    client.scopes.includes(token) && token !== "offline_access"
  );
  apply(exchangeRules.scope, { allowed: scopes });
  const allowed = {
    scope: readScope(apply, requested.scope, scopes, scopes),
    resources: exchangePolicies.of(client).tokenExchange?.audiences ?? [],
    authorizationDetails: detailsOfTypes(authorizationDetails, client.authorizationDetailsTypes),
  };
  return narrowAccessRights(apply, requested, allowed, settings);
}

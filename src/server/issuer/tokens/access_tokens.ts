import type {
  AccessTokenClaims,
  AccessTokenType,
  ExchangingClient,
  Resource,
} from "../../model/access_token.ts";
import { type Client, type ClientReference, referenceTo } from "../../model/client.ts";
import { scopeForResources } from "../../protocol/access_request.ts";
import { findResources } from "../../protocol/resource.ts";
import { sessionOf } from "../authorizations/active_authorization.ts";
import { isNamedAudience } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { randomSecret } from "../random.ts";
import type { TableCall } from "../records/store_calls.ts";
import { numericDate, toMilliseconds } from "../time.ts";
import type { Entitlement } from "./entitlement.ts";
import { concernedBy, newTokenId } from "./token_ids.ts";
import { tokenClaims } from "./user_claims.ts";

/** A token, and the call that stores its row, if it has one. It is not active before. */
export interface UnstoredToken {
  token: string;
  row?: TableCall<unknown>;
}

/** What an access token will be, after the settings of its resources were applied. */
interface AccessTokenProperties {
  audience: string[];
  /** The part of the audience that the configuration does not name. */
  unnamedAudience: string[];
  scope: string[];
  /** In seconds. */
  lifetime: number;
  format: "jwt" | "opaque";
  /**
   * The `typ` of a JWT. An audience that the configuration does not name could become the id of a
   * client, to which an access token of the type `JWT` would look like an ID token.
   */
  type: AccessTokenType;
}

/** Makes an access token: a JWT (RFC 9068), or a random text that only this server can read. */
export async function makeAccessToken(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  properties: AccessTokenProperties,
): Promise<UnstoredToken> {
  const { authorization } = entitlement;
  const query = { target: "access_token", client, scope: properties.scope } as const;
  const claims = {
    ...authorization && await tokenClaims(ctx, authorization.userName, query),
    ...serverClaimsOf(ctx, client, entitlement, properties),
  };
  ctx.note(authorization ? { authorization: authorization.id } : concernedBy(claims.jti));
  const chosen = await ctx.hooks.chooseCredential?.("access_token", client.id);
  if (properties.format === "jwt" && chosen === undefined) {
    return { token: await signJwt(ctx, ctx.settings.alg, properties.type, claims) };
  }
  const token = chosen ?? randomSecret(ctx);
  const { calls } = ctx.records.opaqueTokens;
  const row = { claims, sid: authorization && sessionOf(authorization) };
  return { token, row: calls.put(token, row, toMilliseconds(claims.exp)) };
}

/**
 * Computes the properties of an access token. A resource can only restrict it: drop scopes that
 * none of them knows, shorten its life, or make it opaque.
 */
export function accessTokenProperties(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
): AccessTokenProperties {
  const { subjectToken, resources: granted, scope } = entitlement;
  const { resources: accepted, lifetimes } = ctx.settings;
  const audience = audienceOf(ctx, entitlement);
  // A token does not outlive the token that it was exchanged for.
  const timeLeft = subjectToken ? subjectToken.exp - numericDate(ctx) : Infinity;
  const properties: AccessTokenProperties = {
    audience,
    unnamedAudience: granted.filter((uri) => !isNamedAudience(ctx, uri)),
    scope: scopeForResources(ctx.apply, audience, scope, accepted),
    lifetime: Math.min(timeLeft, lifetimes.accessToken),
    format: formatFor(client, entitlement),
    type: client.accessTokenType ?? ctx.settings.accessTokenType,
  };
  restrict(properties, findResources(audience, accepted));
  if (properties.unnamedAudience.length > 0) properties.type = "at+jwt";
  return properties;
}

/** Returns the clients that exchanged a token, in order. */
export function exchangedBy({ exchanged_by = [] }: AccessTokenClaims): ClientReference[] {
  return exchanged_by.map(({ client_id, client_epoch }) => ({
    clientId: client_id,
    clientEpoch: client_epoch,
  }));
}

function serverClaimsOf(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  properties: AccessTokenProperties,
): AccessTokenClaims {
  const { authorization, subjectToken, actor, authorizationDetails } = entitlement;
  const { jkt, certificateThumbprint } = entitlement;
  const isBound = (jkt ?? certificateThumbprint) !== undefined;
  const { audience: [audience = "", ...others], scope, lifetime } = properties;
  const iat = numericDate(ctx);
  return {
    iss: ctx.settings.issuer,
    sub: authorization?.subject ?? subjectToken?.sub ?? client.id,
    aud: others.length === 0 ? audience : [audience, ...others],
    client_id: client.id,
    scope: scope.join(" "),
    iat,
    exp: iat + lifetime,
    jti: newTokenId(ctx, client, entitlement),
    auth_time: authorization?.authTime,
    acr: authorization?.acr,
    cnf: isBound ? { jkt, "x5t#S256": certificateThumbprint } : undefined,
    act: actor,
    exchanged_by: subjectToken && exchangedByClaim(subjectToken.exchangedBy, client),
    authorization_details: authorizationDetails,
  };
}

function formatFor(
  { accessTokenFormat }: Client,
  { resources }: Entitlement,
): AccessTokenProperties["format"] {
  if (accessTokenFormat !== "jwt-for-resource") return accessTokenFormat;
  return resources.length > 0 ? "jwt" : "opaque";
}

/**
 * Applies the settings of resources. If they want different types, it is the one that cannot be
 * mistaken for that of another token.
 */
function restrict(properties: AccessTokenProperties, resources: readonly Resource[]): void {
  let wanted: AccessTokenType | undefined;
  for (const { accessTokenFormat, accessTokenLifetime, accessTokenType } of resources) {
    if (accessTokenFormat === "opaque") properties.format = "opaque";
    properties.lifetime = Math.min(properties.lifetime, accessTokenLifetime ?? Infinity);
    if (wanted !== "at+jwt") wanted = accessTokenType ?? wanted;
  }
  properties.type = wanted ?? properties.type;
}

/**
 * By default a token is for the default resource and, with `openid`, for userinfo at the issuer.
 */
function audienceOf({ settings }: Context, { resources, scope }: Entitlement): string[] {
  const defaultAudience = scope.includes("openid")
    ? [settings.defaultResource, settings.issuer]
    : [settings.defaultResource];
  return [...new Set(resources.length > 0 ? resources : defaultAudience)];
}

/** Returns the claim that names the clients of an exchanged token, in order. */
function exchangedByClaim(
  earlier: readonly ClientReference[],
  client: Client,
): ExchangingClient[] {
  return [...earlier, referenceTo(client)].map(({ clientId, clientEpoch }) => ({
    client_id: clientId,
    ...clientEpoch !== undefined && { client_epoch: clientEpoch },
  }));
}

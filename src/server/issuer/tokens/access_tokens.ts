import type { AccessTokenClaims, ExchangingClient } from "../../model/access_token.ts";
import { type Client, type ClientReference, referenceTo } from "../../model/client.ts";
import { sessionOf } from "../authorizations/active_authorization.ts";
import type { Context, VerifiedToken } from "../context.ts";
import { keyIdOf, signJwt, verifyOwnJwt } from "../keys/own_jwt.ts";
import { randomSecret } from "../random.ts";
import type { TableCall } from "../records/table.ts";
import { numericDate, toMilliseconds } from "../time.ts";
import type { AccessTokenProperties } from "./access_token_properties.ts";
import type { Entitlement } from "./entitlement.ts";
import { concernedBy, newTokenId } from "./token_ids.ts";
import { tokenClaims } from "./user_claims.ts";

/** A token, and the call that stores its row, if it has one. It is not active before. */
export interface UnstoredToken {
  token: string;
  row?: TableCall<unknown>;
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
  const chosen = ctx.chooseCredential && await ctx.chooseCredential("access_token", client.id);
  if (properties.format === "jwt" && chosen === undefined) {
    return { token: await signJwt(ctx, ctx.settings.alg, properties.type, claims) };
  }
  const token = chosen ?? randomSecret(ctx);
  const { calls } = ctx.records.opaqueTokens;
  const row = { claims, sid: authorization && sessionOf(authorization) };
  return { token, row: calls.put(token, row, toMilliseconds(claims.exp)) };
}

/**
 * Reads an unexpired access token of this server. Whether the token is still active,
 * `findActiveToken` decides.
 */
export async function readAccessToken(
  ctx: Context,
  token: string,
  seen: VerifiedToken | undefined,
): Promise<VerifiedToken | undefined> {
  // Its key may have been retired since it was verified.
  const isVerified = seen?.kid !== undefined && ctx.keys.isListed(seen.kid);
  const read = isVerified ? seen : await readTokenOfAnyAge(ctx, token, seen);
  if (!read) return undefined;
  ctx.note(concernedBy(read.claims.jti));
  return isExpired(ctx, read.claims) ? undefined : read;
}

/** Reads a JWT, or an opaque token, which may look like a JWT if its value was chosen. */
async function readTokenOfAnyAge(
  ctx: Context,
  token: string,
  seen: VerifiedToken | undefined,
): Promise<VerifiedToken | undefined> {
  const read = token.includes(".") ? await readJwt(ctx, token, seen) : undefined;
  return read ?? (await ctx.records.opaqueTokens.getStored(token))?.value;
}

async function readJwt(
  ctx: Context,
  token: string,
  seen: VerifiedToken | undefined,
): Promise<VerifiedToken | undefined> {
  // Untestable (the condition became false): it only saves time, as the token is verified again.
  if (seen?.kid !== undefined) return await ctx.keys.find(seen.kid) ? seen : undefined;
  const claims = await verifyOwnJwt(ctx, token, "access token", "any age") as
    | AccessTokenClaims
    | undefined;
  if (!claims) return undefined;
  const read = { claims, kid: keyIdOf(token) };
  if (!isExpired(ctx, claims)) ctx.verifiedTokens.set(token, read);
  return read;
}

function isExpired(ctx: Context, { exp }: AccessTokenClaims): boolean {
  return toMilliseconds(exp) <= ctx.now();
}

function serverClaimsOf(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  properties: AccessTokenProperties,
): AccessTokenClaims {
  const { authorization, subjectToken, actor, authorizationDetails } = entitlement;
  const { jkt, certificateThumbprint } = entitlement;
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
    ...authorization?.authTime !== undefined && { auth_time: authorization.authTime },
    ...authorization?.acr !== undefined && { acr: authorization.acr },
    ...(jkt ?? certificateThumbprint) !== undefined && {
      cnf: { jkt, "x5t#S256": certificateThumbprint },
    },
    ...actor && { act: actor },
    ...subjectToken && {
      exchanged_by: exchangedByClaim([...subjectToken.exchangedBy, referenceTo(client)]),
    },
    ...authorizationDetails && { authorization_details: authorizationDetails },
  };
}

/** Returns the claim that names the clients of an exchanged token, in order. */
function exchangedByClaim(clients: readonly ClientReference[]): ExchangingClient[] {
  return clients.map(({ clientId, clientEpoch }) => ({
    client_id: clientId,
    ...clientEpoch !== undefined && { client_epoch: clientEpoch },
  }));
}

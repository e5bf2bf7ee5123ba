import { mediaType, readForm } from "../http/body.ts";
import { jsonResponse, jwtResponse } from "../http/response.ts";
import type { ActiveAuthorization } from "../issuer/authorizations/active_authorization.ts";
import { noteClient } from "../issuer/clients/clients.ts";
import type { Context } from "../issuer/context.ts";
import { signJwt } from "../issuer/keys/own_jwt.ts";
import { expiredTokenHint } from "../issuer/tokens/access_tokens.ts";
import { type ActiveAccessToken, findActiveToken } from "../issuer/tokens/active_tokens.ts";
import { checkProof, nonceHeaders } from "../issuer/tokens/dpop.ts";
import { userClaims } from "../issuer/tokens/user_claims.ts";
import { isMeantFor } from "../model/access_token.ts";
import type { Claims } from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import type { RequestedClaims } from "../protocol/claims_request.ts";
import { invalidDpopProof } from "../protocol/dpop_proof.ts";
import { checkRepeatedParameters, type FormParameters } from "../protocol/form_parameters.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import {
  type ChallengePolicy,
  checkScheme,
  type PresentedToken,
  readPresentedToken,
  withChallenges,
} from "../protocol/presented_token.ts";

const section = "OpenID Connect Core, section 5.3";
const invalidToken = errorFactory("invalid_token", section);
const insufficientScope = errorFactory("insufficient_scope", section);

/** Returns the claims that a user lets a client see (OpenID Connect Core, section 5.3). */
export async function userinfo(ctx: Context, request: Request): Promise<Response> {
  const policy: ChallengePolicy = { schemes: ["Bearer", "DPoP"], algs: ctx.settings.dpopAlgs };
  const presented = readPresentedToken(
    request.headers.get("Authorization"),
    await readBody(request),
    policy,
  );
  return await withChallenges(
    policy,
    presented.scheme,
    () => respondToToken(ctx, request, presented),
  );
}

async function respondToToken(
  ctx: Context,
  request: Request,
  presented: PresentedToken,
): Promise<Response> {
  const { claims, client, active } = await findAccessToken(ctx, presented.token);
  noteClient(ctx, client);
  await checkPossession(ctx, request, presented, claims.cnf?.jkt);
  const scope = claims.scope.split(" ");
  if (!active || !scope.includes("openid")) {
    throw insufficientScope("The access token needs the scope 'openid'.");
  }
  const requested = requestedClaims(active, client);
  const about = await userClaims(ctx, active.user, {
    target: "userinfo",
    client,
    scope,
    requested,
  });
  return await claimsResponse(ctx, client, { ...about, sub: claims.sub });
}

async function findAccessToken(ctx: Context, token: string): Promise<ActiveAccessToken> {
  const activeToken = await findActiveToken(ctx, token);
  const accessToken = activeToken?.kind === "access" ? activeToken : undefined;
  if (accessToken && isMeantFor(accessToken.claims, ctx.settings.issuer)) return accessToken;
  const hint = accessToken
    ? `It is meant for: ${[accessToken.claims.aud].flat().join(", ")}.`
    : expiredTokenHint(ctx, token);
  throw invalidToken(
    "The access token is unknown, expired, revoked, or for a different audience.",
    { ...hint !== undefined && { hint } },
  );
}

/** The sender of a bound token has to prove possession of its key (RFC 9449, section 7). */
async function checkPossession(
  ctx: Context,
  request: Request,
  { scheme, token }: PresentedToken,
  jkt: string | undefined,
): Promise<void> {
  checkScheme(scheme, jkt);
  if (jkt === undefined) return;
  if (await checkProof(ctx, request, "userinfo_endpoint", { text: token, jkt })) return;
  throw invalidDpopProof("The access token is bound to a key, and no DPoP proof came with it.");
}

/**
 * Returns the claims that were requested by name. They were allowed to the client that requested
 * them, and do not pass through an exchange.
 */
function requestedClaims(
  { authorization }: ActiveAuthorization,
  client: Client,
): RequestedClaims | undefined {
  return client.id === authorization.clientId ? authorization.claims?.userinfo : undefined;
}

/** A client may have registered for a signed response (OpenID Connect Core, section 5.3.2). */
async function claimsResponse(ctx: Context, client: Client, claims: Claims): Promise<Response> {
  const { id, userinfoAlg } = client;
  const headers = await nonceHeaders(ctx);
  if (userinfoAlg === undefined) return jsonResponse(claims, 200, headers);
  const signedClaims = { ...claims, iss: ctx.settings.issuer, aud: id };
  // Without the type of an ID token it cannot pass for one.
  return jwtResponse(await signJwt(ctx, userinfoAlg, undefined, signedClaims), headers);
}

/** A token may come in a form. A body of any other type is ignored. */
async function readBody(request: Request): Promise<FormParameters | undefined> {
  if (request.method !== "POST" || mediaType(request) !== "application/x-www-form-urlencoded") {
    return undefined;
  }
  const form = await readForm(request);
  checkRepeatedParameters(form);
  return form;
}

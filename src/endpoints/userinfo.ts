import { mediaType, readForm } from "../http/body.ts";
import { json, jwt } from "../http/response.ts";
import type { ActiveAuthorization } from "../issuer/authorizations/active_authorization.ts";
import type { Context } from "../issuer/context.ts";
import { signJwt } from "../issuer/keys/own_jwt.ts";
import { expiredTokenHint } from "../issuer/tokens/access_tokens.ts";
import { findActiveToken } from "../issuer/tokens/active_tokens.ts";
import { checkProof, nonceHeaders } from "../issuer/tokens/dpop.ts";
import { isMeantFor } from "../model/access_token.ts";
import { claimNames, type Claims, pickClaims } from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import { pickRequestedClaims } from "../protocol/claims_request.ts";
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

/** What the person behind a token lets the client know (OpenID Connect Core, section 5.3). */
export async function userinfo(ctx: Context, request: Request): Promise<Response> {
  const policy: ChallengePolicy = { schemes: ["Bearer", "DPoP"], algs: ctx.settings.dpopAlgs };
  const presented = readPresentedToken(
    request.headers.get("Authorization"),
    await readBody(request),
    policy,
  );
  return await withChallenges(policy, presented.scheme, () => answer(ctx, request, presented));
}

async function answer(
  ctx: Context,
  request: Request,
  presented: PresentedToken,
): Promise<Response> {
  const found = await findActiveToken(ctx, presented.token);
  if (found?.kind !== "access" || !isMeantFor(found.claims, ctx.settings.issuer)) {
    const hint = found?.kind === "access"
      ? `It is meant for: ${[found.claims.aud].flat().join(", ")}.`
      : expiredTokenHint(ctx, presented.token);
    throw invalidToken(
      "The access token is unknown, expired, revoked, or meant for another audience.",
      { hint },
    );
  }
  await checkPossession(ctx, request, presented, found.claims.cnf?.jkt);
  const scope = found.claims.scope.split(" ");
  if (!found.active || !scope.includes("openid")) {
    throw insufficientScope("The access token needs the scope 'openid'.");
  }
  return await show(ctx, found.client, {
    ...claimsFor(found.active, found.client, scope),
    sub: found.claims.sub,
  });
}

/** Whoever presents a bound token proves that they hold its key (RFC 9449, section 7). */
async function checkPossession(
  ctx: Context,
  request: Request,
  { scheme, token }: PresentedToken,
  jkt: string | undefined,
): Promise<void> {
  checkScheme(scheme, jkt);
  if (
    jkt === undefined || await checkProof(ctx, request, "userinfo_endpoint", { text: token, jkt })
  ) return;
  throw invalidDpopProof("The access token is bound to a key, and no DPoP proof came with it.");
}

/** What the scope asks for, and what the request asked for by name: that was allowed to whoever asked, and goes into no exchange. */
function claimsFor(
  { user, authorization }: ActiveAuthorization,
  client: Client,
  scope: readonly string[],
): Claims {
  const byName = client.id === authorization.clientId ? authorization.claims?.userinfo : undefined;
  return {
    ...pickClaims(user.claims, claimNames(scope)),
    ...pickRequestedClaims(user.claims, byName ?? {}),
  };
}

/** A client may have registered to get it signed (OpenID Connect Core, section 5.3.2). */
async function show(ctx: Context, client: Client, claims: Claims): Promise<Response> {
  const headers = await nonceHeaders(ctx);
  if (client.userinfoAlg === undefined) return json(claims, 200, headers);
  // Without the type of an ID token it cannot be taken for one.
  return jwt(
    await signJwt(ctx, client.userinfoAlg, undefined, {
      ...claims,
      iss: ctx.settings.issuer,
      aud: client.id,
    }),
    headers,
  );
}

/** A token may come in a form; a body of any other type is not looked at. */
async function readBody(request: Request): Promise<FormParameters | undefined> {
  if (request.method !== "POST" || mediaType(request) !== "application/x-www-form-urlencoded") {
    return undefined;
  }
  const form = await readForm(request);
  checkRepeatedParameters(form);
  return form;
}

import { json, jwt } from "../http/answer.ts";
import { mediaType, readForm } from "../http/body.ts";
import { isMeantFor } from "../protocol/access_token.ts";
import { refuseProof } from "../protocol/dpop_proof.ts";
import type { Claims } from "../protocol/claims.ts";
import { claimNames, pickClaims } from "../protocol/claims.ts";
import { wantedClaims } from "../protocol/claims_request.ts";
import type { Client } from "../protocol/client.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { refuseRepeats } from "../protocol/parameters.ts";
import type { Demand, PresentedToken } from "../protocol/presented_token.ts";
import { checkScheme, demanding, readPresentedToken, refuseToken } from "../protocol/presented_token.ts";
import type { Context } from "../issuer/context.ts";
import { tellAge } from "../issuer/tokens/access_tokens.ts";
import { checkProof, nonceHeaders } from "../issuer/tokens/dpop.ts";
import { signJwt } from "../issuer/keys/own_jwt.ts";
import type { Standing } from "../issuer/authorizations/standing.ts";
import { findStandingToken } from "../issuer/tokens/standing_tokens.ts";

const section = "OpenID Connect Core, section 5.3";

/** What the person behind a token lets the client know (OpenID Connect Core, section 5.3). */
export async function userinfo(ctx: Context, request: Request): Promise<Response> {
  const demand: Demand = { schemes: ["Bearer", "DPoP"], algs: ctx.settings.dpopAlgs };
  const presented = readPresentedToken(request.headers.get("Authorization"), await readBody(request), demand);
  return await demanding(demand, presented.scheme, () => answer(ctx, request, presented));
}

async function answer(ctx: Context, request: Request, presented: PresentedToken): Promise<Response> {
  const found = await findStandingToken(ctx, presented.token);
  if (found?.kind !== "access" || !isMeantFor(found.claims, ctx.settings.issuer)) {
    const hint = found?.kind === "access" ? `It is meant for: ${[found.claims.aud].flat().join(", ")}.` : tellAge(ctx, presented.token);
    throw refuseToken("invalid_token", "The access token is unknown, expired, revoked, or meant for another audience.", section, hint);
  }
  await checkPossession(ctx, request, presented, found.claims.cnf?.jkt);
  const scope = found.claims.scope.split(" ");
  if (!found.standing || !scope.includes("openid")) {
    throw refuseToken("insufficient_scope", "The access token needs the scope 'openid'.", section);
  }
  return await show(ctx, found.client, { ...claimsFor(found.standing, found.client, scope), sub: found.claims.sub });
}

/** Whoever presents a bound token proves that they hold its key (RFC 9449, section 7). */
async function checkPossession(ctx: Context, request: Request, { scheme, token }: PresentedToken, jkt: string | undefined): Promise<void> {
  checkScheme(scheme, jkt);
  if (jkt === undefined || await checkProof(ctx, request, "userinfo_endpoint", { text: token, jkt })) return;
  throw refuseProof("The access token is bound to a key, and no DPoP proof came with it.");
}

/** What the scope asks for, and what the request asked for by name: that was allowed to whoever asked, and goes into no exchange. */
function claimsFor({ user, authorization }: Standing, client: Client, scope: readonly string[]): Claims {
  const byName = client.id === authorization.clientId ? authorization.claims?.userinfo : undefined;
  return { ...pickClaims(user.claims, claimNames(scope)), ...wantedClaims(user.claims, byName ?? {}) };
}

/** A client may have registered to get it signed (OpenID Connect Core, section 5.3.2). */
async function show(ctx: Context, client: Client, claims: Claims): Promise<Response> {
  const headers = await nonceHeaders(ctx);
  if (client.userinfoAlg === undefined) return json(claims, 200, headers);
  // Without the type of an ID token it cannot be taken for one.
  return jwt(await signJwt(ctx, client.userinfoAlg, undefined, { ...claims, iss: ctx.settings.issuer, aud: client.id }), headers);
}

/** A token may come in a form; a body of any other type is not looked at. */
async function readBody(request: Request): Promise<Parameters | undefined> {
  if (request.method !== "POST" || mediaType(request) !== "application/x-www-form-urlencoded") return undefined;
  const form = await readForm(request);
  refuseRepeats(form);
  return form;
}

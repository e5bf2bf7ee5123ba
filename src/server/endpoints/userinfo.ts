import { mediaType, readForm } from "../http/incoming_request.ts";
import { jsonResponse, jwtResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import { featuresOf } from "../issuer/active_features.ts";
import { noteClient } from "../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../issuer/context.ts";
import { signJwt } from "../issuer/keys/own_jwt.ts";
import { type ActiveAccessToken, findActiveToken } from "../issuer/tokens/active_tokens.ts";
import { checkCertificate, checkDpop, nonceHeaders } from "../issuer/tokens/proof_of_possession.ts";
import { adviceForUnusable, describeUnusableToken } from "../issuer/tokens/unusable_token.ts";
import { userClaims } from "../issuer/tokens/user_claims.ts";
import { type AccessTokenClaims, isMeantFor, listAudiences } from "../model/access_token.ts";
import type { Claims } from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import { certificateRules } from "../protocol/certificate_rules.ts";
import { dpop } from "../protocol/dpop_rules.ts";
import { checkRepeatedParameters, type FormParameters } from "../protocol/form_parameters.ts";
import {
  type ChallengePolicy,
  checkScheme,
  readPresentedToken,
  withChallenges,
} from "../protocol/presented_token.ts";
import { requireValue, ruleSet } from "../protocol/rule.ts";

/** What was found for a presented token. */
interface FoundAccessToken {
  token: ActiveAccessToken | undefined;
  issuer: string;
  /** What came instead of it; only with `hints`. */
  problem: string | undefined;
}

/** These rules share one response: only with `hints` it shows what a token is. */
const unusable = {
  error: "invalid_token",
  message: "The access token is unknown, expired, revoked, or for a different audience.",
} as const;

const about = {
  see: "OpenID Connect Core, section 5.3",
  parameter: "Authorization",
  error: "insufficient_scope",
} as const;

const tokenRules = ruleSet("token", about, {
  access: {
    ...unusable,
    title: "The token must be an access token, not an ID token",
    fix: "Send the access_token, not the id_token.",
    holds: ({ problem }: FoundAccessToken) => !problem?.startsWith("an ID token"),
    expected: () => "an access token",
    received: ({ token, problem }) => token ? "an access token" : problem,
  },
  active: {
    ...unusable,
    title: "The access token must be active",
    fix: "Send an access token as it was issued, before it expires.",
    fixFor: ({ problem }) => adviceForUnusable(problem),
    holds: ({ token }: FoundAccessToken) => token !== undefined,
    expected: ({ issuer }) => `an active token for ${issuer}`,
    received: ({ problem }) => problem,
  },
  audience: {
    ...unusable,
    title: "The audience of the access token must be this server",
    fix: "Ask for a token with the scope 'openid', and without a resource.",
    holds: ({ token, issuer }: { token: ActiveAccessToken; issuer: string }) =>
      isMeantFor(token.claims, issuer),
    expected: ({ issuer }) => `a token for ${issuer}`,
    received: ({ token }) => `one for ${listAudiences(token.claims).join(", ")}`,
  },
  openid: {
    title: "The access token must have the scope 'openid'",
    fix: "Ask for the token with the scope 'openid'.",
    holds: ({ active, scope }: { active: unknown; scope: readonly string[] }) =>
      active !== undefined && scope.includes("openid"),
    received: ({ scope }) => scope.join(" "),
  },
});

/** Returns the claims that a user lets a client see (OpenID Connect Core, section 5.3). */
export async function userinfo(ctx: RequestContext): Promise<ResponseData> {
  const policy: ChallengePolicy = { schemes: ["Bearer", "DPoP"], algs: ctx.settings.dpopAlgs };
  const presented = readPresentedToken(
    ctx.apply,
    ctx.request.headers.get("Authorization"),
    ctx.request.method === "POST" ? await readBody(ctx) : undefined,
    policy,
    /[?&]access_token=/.test(ctx.request.url),
  );
  try {
    const { claims, client, active } = await findAccessToken(ctx, presented.token);
    noteClient(ctx, client);
    checkScheme(ctx.apply, presented.scheme, claims.cnf?.jkt);
    if (claims.cnf) await checkPossession(ctx, presented.token, claims.cnf);
    const scope = claims.scope.split(" ");
    const found = requireValue(ctx.apply, tokenRules.openid, { active, scope }, active);
    const { user, authorization } = found;
    // The client that requested claims by name may have them: they do not pass through an exchange.
    const isOwn = client.id === authorization.clientId;
    const requested = isOwn ? authorization.claims?.userinfo : undefined;
    const query = { target: "userinfo", client, scope, requested } as const;
    const aboutUser = await userClaims(ctx, user, query);
    return await claimsResponse(ctx, client, { ...aboutUser, sub: claims.sub });
  } catch (cause) {
    throw withChallenges(policy, presented.scheme, cause);
  }
}

/** Finds the token of a request. Throws an `OAuthError` unless it is active and for this server. */
export async function findAccessToken(ctx: Context, token: string): Promise<ActiveAccessToken> {
  const activeToken = await findActiveToken(ctx, token);
  const found = activeToken?.kind === "access" ? activeToken : undefined;
  const problem = found ? undefined : await describeUnusableToken(ctx, token);
  const facts = { token: found, issuer: ctx.settings.issuer, problem };
  ctx.apply(tokenRules.access, facts);
  const known = requireValue(ctx.apply, tokenRules.active, facts, found);
  ctx.apply(tokenRules.audience, { token: known, issuer: facts.issuer });
  return known;
}

/**
 * The sender of a bound token has to prove possession of its keys (RFC 9449, section 7; RFC 8705,
 * section 3).
 */
async function checkPossession(
  ctx: RequestContext,
  token: string,
  { jkt, "x5t#S256": thumbprint }: NonNullable<AccessTokenClaims["cnf"]>,
): Promise<void> {
  await checkCertificate(ctx, certificateRules.token, thumbprint);
  if (jkt === undefined) return;
  const proven = await checkDpop(ctx, "userinfo_endpoint", { text: token, jkt });
  ctx.apply(dpop.present, { jkt: proven });
}

/**
 * A client may have registered for a signed or encrypted response (OpenID Connect Core, section
 * 5.3.2).
 */
async function claimsResponse(ctx: Context, client: Client, claims: Claims): Promise<ResponseData> {
  const { id, userinfoAlg } = client;
  const headers = ctx.settings.dpopNonces ? await nonceHeaders(ctx) : [];
  const ownClaims = () => ({ ...claims, iss: ctx.settings.issuer, aud: id });
  // Without the type of an ID token it cannot pass for one.
  const signed = userinfoAlg && await signJwt(ctx, userinfoAlg, undefined, ownClaims());
  const text = () => signed ?? JSON.stringify(ownClaims());
  const sealed = featuresOf(ctx).envelope?.seal(ctx, client, "userinfo", text);
  const jwt = sealed ? await sealed : signed;
  return jwt === undefined ? jsonResponse(claims, 200, headers) : jwtResponse(jwt, headers);
}

/** A token may come in a form. A body of any other type is ignored. */
async function readBody(ctx: RequestContext): Promise<FormParameters | undefined> {
  if (mediaType(ctx.request.headers) !== "application/x-www-form-urlencoded") return undefined;
  const form = await readForm(ctx);
  checkRepeatedParameters(ctx.apply, form);
  return form;
}

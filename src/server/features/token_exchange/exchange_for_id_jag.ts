import type { CompleteResponse, TokenRequest } from "../../grants/grant.ts";
import {
  type ActiveAuthorization,
  findActiveAuthorization,
} from "../../issuer/authorizations/active_authorization.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { signJwt, verifyOwnJwt } from "../../issuer/keys/own_jwt.ts";
import { randomId } from "../../issuer/random.ts";
import type { Authorization } from "../../issuer/records/rows.ts";
import { numericDate, secondsUntil, toMilliseconds } from "../../issuer/time.ts";
import { checkCertificate } from "../../issuer/tokens/proof_of_possession.ts";
import { readTokenId } from "../../issuer/tokens/token_ids.ts";
import { describeUnusableToken } from "../../issuer/tokens/unusable_token.ts";
import { pairwiseRowCalls } from "../../issuer/users/claim_rows.ts";
import { subjectFor } from "../../issuer/users/users.ts";
import type { BoundKeys } from "../../model/access_token.ts";
import { type Client, mayRefresh } from "../../model/client.ts";
import { mayUse, type User } from "../../model/user.ts";
import { certificateRules } from "../../protocol/certificate_rules.ts";
import { idJagJwtType, idJagTokenType } from "../../protocol/grant_types.ts";
import { requireValue } from "../../protocol/rule.ts";
import { minute } from "../../util/time/duration.ts";
import { withoutUndefined } from "../../util/values/members.ts";
import { exchangePolicies, type IdJagConfig } from "./config.ts";
import {
  chooseEntry,
  grantedScope,
  type IdJagSubject,
  readIdJagRequest,
} from "./id_jag_request.ts";
import { idJagRequestRules } from "./id_jag_request_rules.ts";

/** How long an ID-JAG lives at most, in seconds. It is redeemed at once. */
const maxLifetime = 5 * minute;

/** The user of an active token of the client, when it ends, and the keys that it is bound to. */
interface SignedInSubject extends BoundKeys {
  active: ActiveAuthorization;
  /** In milliseconds. */
  expiresAt: number;
}

/**
 * Exchanges the token of a user who signed in for an ID-JAG, with which the client gets an access
 * token in another domain (Identity Assertion JWT Authorization Grant, section 4.3).
 */
export async function exchangeForIdJag(
  ctx: RequestContext,
  tokenRequest: TokenRequest,
): Promise<CompleteResponse> {
  const { client, parameters, jkt } = tokenRequest;
  // A client that was stored before may have no list.
  const entries = exchangePolicies.of(client).idJag ?? [];
  ctx.apply(idJagRequestRules.client, { client, entries });
  const request = readIdJagRequest(ctx.apply, parameters);
  const { active, expiresAt } = await requireSubject(ctx, tokenRequest, request.subject);
  const { authorization, user } = active;
  const entry = chooseEntry(ctx.apply, entries, request);
  const scope = grantedScope(ctx.apply, entry, user.name, request.scope);
  const subject = await subjectAt(ctx, entry, user);
  const content = { entry, authorization, user, subject, scope, expiresAt, jkt };
  const { jwt, lifetime } = await issueIdJag(ctx, content);
  const response = {
    access_token: jwt,
    issued_token_type: idJagTokenType,
    // Despite the name of the member, it is not an access token (RFC 8693, section 2.2.1).
    token_type: "N_A",
    expires_in: lifetime,
    scope: scope.join(" "),
  };
  return { response, scope, authorization };
}

/** Finds the user of a token, who must still be signed in. */
async function requireSubject(
  ctx: RequestContext,
  { client, jkt }: TokenRequest,
  presented: IdJagSubject,
): Promise<SignedInSubject> {
  const { token, type } = presented;
  // An access token, an exchanged token or another ID-JAG is never found.
  const subject = type === "id_token"
    ? await findIdToken(ctx, client, token)
    : await findRefreshToken(ctx, client, token);
  const isUsable = subject?.active.client.id === client.id;
  const problem = isUsable ? undefined : await describeUnusableToken(ctx, token);
  const facts = { isUsable, problem };
  const found = requireValue(ctx.apply, idJagRequestRules.subject_token, facts, subject);
  if (found.jkt !== undefined) {
    ctx.apply(idJagRequestRules.proof, { received: jkt, expected: found.jkt });
  }
  await checkCertificate(ctx, certificateRules.exchanged_token, found.certificateThumbprint);
  ctx.apply(idJagRequestRules.session, {
    isLive: await isSessionLive(ctx, found.active.authorization),
  });
  return found;
}

async function findIdToken(
  ctx: Context,
  client: Client,
  token: string,
): Promise<SignedInSubject | undefined> {
  const claims = await verifyOwnJwt(ctx, token, "id token");
  if (claims?.aud !== client.id || claims.jti === undefined || claims.exp === undefined) {
    return undefined;
  }
  const { authorizationId, chain } = readTokenId(claims.jti);
  if (authorizationId === undefined || chain.length > 1) return undefined;
  ctx.note({ authorization: authorizationId });
  const active = await findActiveAuthorization(ctx, { authorization: authorizationId });
  return active && { active, expiresAt: toMilliseconds(claims.exp) };
}

/** It is checked as the refresh token grant does, but not consumed. */
async function findRefreshToken(
  ctx: Context,
  client: Client,
  token: string,
): Promise<SignedInSubject | undefined> {
  if (!mayRefresh(client, ctx.settings)) return undefined;
  const row = await ctx.records.refreshTokens.get(token);
  if (!row || row.usedAt !== undefined) return undefined;
  const { authorization, jkt, certificateThumbprint } = row.value;
  ctx.note({ authorization });
  const active = await findActiveAuthorization(ctx, row.value);
  return active && { active, expiresAt: row.expiresAt, jkt, certificateThumbprint };
}

/** Whether the session of an authorization is live: it was not ended, and is not too old. */
async function isSessionLive(
  { settings: { lifetimes }, records, now }: Context,
  { sid, authTime }: Authorization,
): Promise<boolean> {
  if (sid === undefined || authTime === undefined) return false;
  if (toMilliseconds(authTime + lifetimes.session) <= now()) return false;
  return await records.endedSessions.get(sid) === undefined;
}

/**
 * Returns the `sub` that the server at the audience gets when it signs the user in here, so that it
 * finds the same account (section 3.1 of the draft).
 */
async function subjectAt(
  ctx: Context,
  { relyingParty }: IdJagConfig,
  user: User,
): Promise<string> {
  if (relyingParty === undefined) return user.subject;
  const client = await findClient(ctx, relyingParty);
  const isKnown = client !== undefined && mayUse(user, client);
  const party = requireValue(ctx.apply, idJagRequestRules.relying_party, { isKnown }, client);
  const subject = await subjectFor(ctx, party, user);
  await ctx.records.batch(...await pairwiseRowCalls(ctx, user, subject));
  return subject;
}

/** Issues an ID-JAG (Identity Assertion JWT Authorization Grant, section 3). */
async function issueIdJag(
  ctx: Context,
  content: {
    /** What was configured about the other domain. It is copied. */
    entry: IdJagConfig;
    authorization: Authorization;
    user: User;
    /** The `sub` by which the server at the audience knows the user. */
    subject: string;
    scope: readonly string[];
    /** When the token ends that was presented for it, in milliseconds. */
    expiresAt: number;
    /** The thumbprint of the key of the DPoP proof, if the request had one. */
    jkt?: string | undefined;
  },
): Promise<{ jwt: string; lifetime: number }> {
  const { entry, authorization, user, subject, scope, jkt } = content;
  // An address that was not verified could lead to the account of another user.
  const { email, email_verified } = user.claims;
  const isVerified = email_verified === true;
  const iat = numericDate(ctx);
  const lifetime = Math.min(maxLifetime, secondsUntil(ctx, content.expiresAt));
  const claims = withoutUndefined({
    ...entry.email && isVerified && { email, email_verified: isVerified },
    iss: ctx.settings.issuer,
    sub: subject,
    aud: entry.audience,
    client_id: entry.clientId,
    jti: randomId(ctx),
    iat,
    exp: iat + lifetime,
    resource: entry.resource,
    scope: scope.join(" "),
    auth_time: authorization.authTime,
    acr: authorization.acr,
    amr: authorization.amr,
    cnf: jkt === undefined ? undefined : { jkt },
  });
  return { jwt: await signJwt(ctx, ctx.settings.alg, idJagJwtType, claims), lifetime };
}

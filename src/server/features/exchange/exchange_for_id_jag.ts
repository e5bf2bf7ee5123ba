import type { CompleteResponse, TokenRequest } from "../../grants/grant.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { signJwt } from "../../issuer/keys/own_jwt.ts";
import { randomId } from "../../issuer/random.ts";
import type { Authorization } from "../../issuer/records/rows.ts";
import { numericDate, secondsUntil } from "../../issuer/time.ts";
import { checkCertificate } from "../../issuer/tokens/proof_of_possession.ts";
import { describeUnusableToken } from "../../issuer/tokens/unusable_token.ts";
import { subjectFor } from "../../issuer/users/users.ts";
import type { User } from "../../model/user.ts";
import { certificateRules } from "../../protocol/certificate_rules.ts";
import { idJagJwtType, idJagTokenType } from "../../protocol/grant_types.ts";
import { requireValue } from "../../protocol/rule.ts";
import { minute } from "../../util/time/duration.ts";
import { withoutUndefined } from "../../util/values/members.ts";
import type { IdJagConfig } from "./config.ts";
import {
  chooseEntry,
  grantedScope,
  idJagEntriesOf,
  type IdJagSubject,
  readIdJagRequest,
} from "./id_jag_request.ts";
import { idJagRequestRules } from "./id_jag_request_rules.ts";
import { findIdJagSubject, isSessionLive, type SignedInSubject } from "./id_jag_subjects.ts";

/** How long an ID-JAG lives at most, in seconds. It is redeemed at once. */
const maxLifetime = 5 * minute;

/** What an ID-JAG is made of. */
interface IdJagContent {
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
  const entries = idJagEntriesOf(client);
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
  const subject = await findIdJagSubject(ctx, client, presented);
  const isUsable = subject !== undefined;
  const problem = isUsable ? undefined : await describeUnusableToken(ctx, presented.token);
  const facts = { isUsable, problem };
  const found = requireValue(ctx.apply, idJagRequestRules.subject_token, facts, subject);
  if (found.jkt !== undefined) {
    ctx.apply(idJagRequestRules.proof, { came: jkt, expected: found.jkt });
  }
  await checkCertificate(ctx, certificateRules.exchanged_token, found.certificateThumbprint);
  ctx.apply(idJagRequestRules.session, {
    isLive: await isSessionLive(ctx, found.active.authorization),
  });
  return found;
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
  const isKnown = client !== undefined;
  const party = requireValue(ctx.apply, idJagRequestRules.relying_party, { isKnown }, client);
  return await subjectFor(ctx, party, user);
}

/** Issues an ID-JAG (Identity Assertion JWT Authorization Grant, section 3). */
async function issueIdJag(
  ctx: Context,
  content: IdJagContent,
): Promise<{ jwt: string; lifetime: number }> {
  const { entry, authorization, user, subject, scope, jkt } = content;
  const iat = numericDate(ctx);
  const lifetime = Math.min(maxLifetime, secondsUntil(ctx, content.expiresAt));
  const claims = withoutUndefined({
    ...entry.email && emailOf(user),
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

/** An address that was not verified could lead to the account of another user. */
function emailOf({ claims: { email, email_verified } }: User): object {
  return email_verified === true ? { email, email_verified } : {};
}

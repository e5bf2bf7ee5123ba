import type { Context } from "../../issuer/context.ts";
import {
  type ExpectedJwt,
  type JwtSigner,
  verifyExternalJwt,
} from "../../issuer/external/external_jwt.ts";
import { numericDate } from "../../issuer/time.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { User } from "../../model/user.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { requireValue } from "../../protocol/rule.ts";
import { ownMember } from "../../util/values/members.ts";
import { assertionClaimRules, assertionRules } from "./assertion_rules.ts";
import {
  assertionJwtTypes,
  peekBearerAssertion,
  type UnverifiedBearerAssertion,
} from "./bearer_assertion.ts";
import { assertionIssuers, type TrustedIssuer } from "./config.ts";

/** An assertion as a client presents it. */
export interface PresentedJwt {
  jwt: string;
  client: Client;
  /** The thumbprint of the key of the DPoP proof, if the request has one. */
  jkt?: string | undefined;
}

/** The claimed issuer of an assertion, and its configuration. */
interface Origin {
  unverified: UnverifiedBearerAssertion;
  issuer: TrustedIssuer;
}

/** An assertion of a trusted issuer about one of our users. */
export interface VerifiedAssertion {
  issuer: TrustedIssuer;
  isIdJag: boolean;
  user: User;
  claims: JwtClaims;
}

/** Verifies an assertion of a trusted issuer (RFC 7523, section 3). */
export async function verifyBearerAssertion(
  ctx: Context,
  { jwt, client, jkt }: PresentedJwt,
): Promise<VerifiedAssertion> {
  const origin = findOrigin(ctx, client, jwt);
  const isTrusted = origin !== undefined;
  const { issuer, unverified } = requireValue(
    ctx.apply,
    assertionRules.issuer,
    { isTrusted },
    origin,
  );
  const signer = { ...issuer, id: issuer.issuer, trusted: true };
  const claims = await verifyAssertion(ctx, signer, jwt, assertionJwtTypes(issuer));
  const audience = ctx.settings.issuer;
  const expected = { clientId: client.id, audience, now: numericDate(ctx), jkt };
  for (const rule of Object.values(assertionClaimRules)) {
    ctx.apply(rule, { claims, unverified, ...expected });
  }
  const user = await findAssertedUser(ctx, issuer, String(claims.sub));
  const isActive = user !== undefined;
  const found = requireValue(ctx.apply, assertionRules.user, { isActive }, user);
  return { issuer, isIdJag: unverified.isIdJag, user: found, claims };
}

/** Returns the claims of an assertion that a key of its issuer verifies. */
async function verifyAssertion(
  ctx: Context,
  signer: JwtSigner,
  jwt: string,
  types: ExpectedJwt["types"],
): Promise<JwtClaims> {
  const algorithms = clientAlgorithms(ctx.settings.profile.algs);
  const verified = await verifyExternalJwt(ctx, signer, jwt, { algorithms, types });
  const problem = "problem" in verified ? verified.problem : undefined;
  const claims = "problem" in verified ? undefined : verified.claims;
  return requireValue(ctx.apply, assertionRules.signature, { problem }, claims);
}

function findOrigin({ settings }: Context, client: Client, jwt: string): Origin | undefined {
  const unverified = peekBearerAssertion(jwt);
  const issuer = unverified && assertionIssuers.of(settings).trustedIssuers.get(unverified.issuer);
  if (!unverified || !issuer?.clients.includes(client.id)) return undefined;
  return { unverified, issuer };
}

/**
 * Never finds a disabled user, even if the issuer asserts one (CVE-2026-1486, CVE-2026-1609).
 */
async function findAssertedUser(
  ctx: Context,
  { users }: TrustedIssuer,
  sub: string,
): Promise<User | undefined> {
  if (!users) return await findUser(ctx, sub);
  const name = ownMember(users, sub);
  return name === undefined ? undefined : await findUser(ctx, name);
}

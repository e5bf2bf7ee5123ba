import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { User } from "../../model/user.ts";
import {
  bearerAssertionJwtTypes,
  bearerAssertionProblem,
  peekBearerAssertion,
  type TrustedIssuer,
} from "../../protocol/bearer_assertion.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { ownMember } from "../../util/values/own_member.ts";
import type { Context } from "../context.ts";
import { verifyExternalJwt } from "../external/external_jwt.ts";
import { numericDate } from "../time.ts";
import { findUser } from "./users.ts";

/** An assertion of a trusted issuer about one of our users. */
export interface VerifiedAssertion {
  issuer: TrustedIssuer;
  user: User;
  claims: JwtClaims;
}

/**
 * Verifies an assertion of a trusted issuer, or returns why it is refused (RFC 7523, section 3).
 */
export async function verifyBearerAssertion(
  ctx: Context,
  client: Client,
  assertion: string,
): Promise<VerifiedAssertion | { problem: string }> {
  const claimed = peekBearerAssertion(assertion);
  const issuer = claimed && ctx.settings.trustedIssuers.get(claimed.issuer);
  if (!issuer || !issuer.clients.includes(client.id)) {
    return { problem: "its issuer is not trusted for this client" };
  }
  const signer = { ...issuer, id: issuer.issuer, trusted: true };
  const algorithms = clientAlgorithms(ctx.settings.profile.algs);
  const verified = await verifyExternalJwt(ctx, signer, assertion, {
    algorithms,
    types: bearerAssertionJwtTypes,
  });
  if ("problem" in verified) return verified;
  const { claims } = verified;
  const rule = {
    unverified: claimed,
    clientId: client.id,
    issuer: ctx.settings.issuer,
    now: numericDate(ctx),
  };
  const problem = bearerAssertionProblem(claims, rule);
  if (problem !== undefined) return { problem };
  const user = await findAssertedUser(ctx, issuer, String(claims.sub));
  return user ? { issuer, user, claims } : { problem: "its 'sub' is not an active user" };
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

import type { Client } from "../../protocol/client.ts";
import type { TrustedIssuer } from "../../protocol/bearer_assertion.ts";
import { bearerAssertionProblem, bearerAssertionTypes, peekBearerAssertion } from "../../protocol/bearer_assertion.ts";
import { clientAlgorithms } from "../../protocol/signing.ts";
import type { User } from "../../protocol/user.ts";
import { verifyForeignJwt } from "../foreign/foreign_jwt.ts";
import type { Context } from "../context.ts";
import { numericDate } from "../time.ts";
import { findUser } from "./users.ts";

/** What a trusted issuer vouches for. */
export interface Vouched {
  issuer: TrustedIssuer;
  user: User;
  claims: Readonly<Record<string, unknown>>;
}

/** Verifies the word of somebody else for one of our users, or says what is wrong with it (RFC 7523, section 3). */
export async function verifyVouched(ctx: Context, client: Client, assertion: string): Promise<Vouched | { problem: string }> {
  const claimed = peekBearerAssertion(assertion);
  const issuer = claimed && ctx.settings.trustedIssuers.get(claimed.issuer);
  if (!issuer || !issuer.clients.includes(client.id)) return { problem: "its issuer is not trusted, or not where this client brings it" };
  const signer = { ...issuer, id: issuer.issuer, trusted: true };
  const algorithms = clientAlgorithms(ctx.settings.profile.algs);
  const verified = await verifyForeignJwt(ctx, signer, assertion, { algorithms, types: bearerAssertionTypes });
  if ("problem" in verified) return verified;
  const { claims } = verified;
  const rule = { claimed, clientId: client.id, issuer: ctx.settings.issuer, now: numericDate(ctx) };
  const problem = bearerAssertionProblem(claims, rule);
  if (problem !== undefined) return { problem };
  const user = await findVouched(ctx, issuer, claims.sub as string);
  return user ? { issuer, user, claims } : { problem: "its 'sub' is nobody who may sign in here" };
}

/** A person who is disabled here is nobody, whoever vouches for them (CVE-2026-1486, CVE-2026-1609). */
async function findVouched(ctx: Context, { users }: TrustedIssuer, sub: string): Promise<User | undefined> {
  if (!users) return await findUser(ctx, sub);
  return Object.hasOwn(users, sub) ? await findUser(ctx, users[sub]) : undefined;
}

import { OutboundError } from "../../http/outbound_fetch.ts";
import { type Context, endpointUrl } from "../../issuer/context.ts";
import { type ExternalJwtResult, verifyExternalJwt } from "../../issuer/external/external_jwt.ts";
import { numericDate } from "../../issuer/time.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { requireValue } from "../../protocol/rule.ts";
import { peekBearerAssertion } from "./bearer_assertion.ts";
import { assertionIssuers, type WorkloadIssuer } from "./config.ts";
import { findKeySetUrl } from "./issuer_metadata.ts";
import { workloadClaimRules, workloadRules } from "./workload_rules.ts";

/** The allowed `typ`. An ID-JAG or an access token is never the token of a workload. */
const types: ReadonlyArray<string | undefined> = [undefined, "JWT"];

/** A verified token of a workload. */
export interface VerifiedWorkload {
  issuer: WorkloadIssuer;
  claims: JwtClaims;
}

/** Verifies the token of a workload (RFC 7523, section 3). */
export async function verifyWorkload(ctx: Context, jwt: string): Promise<VerifiedWorkload> {
  const unverified = peekBearerAssertion(jwt);
  const found = unverified &&
    assertionIssuers.of(ctx.settings).workloadIssuers.get(unverified.issuer);
  const isTrusted = found !== undefined;
  const issuer = requireValue(ctx.apply, workloadRules.issuer, { isTrusted }, found);
  const verified = await verifySignature(ctx, issuer, jwt);
  const problem = "problem" in verified ? verified.problem : undefined;
  const signed = "problem" in verified ? undefined : verified.claims;
  const claims = requireValue(ctx.apply, workloadRules.signature, { problem }, signed);
  const { name, audience = endpointUrl(ctx, "token_endpoint") } = issuer;
  const presented = { claims, name, audience, now: numericDate(ctx) };
  for (const rule of Object.values(workloadClaimRules)) ctx.apply(rule, presented);
  return { issuer, claims };
}

async function verifySignature(
  ctx: Context,
  { issuer, jwks, jwksUri }: WorkloadIssuer,
  jwt: string,
): Promise<ExternalJwtResult> {
  const algorithms = clientAlgorithms(ctx.settings.profile.algs);
  try {
    const keys = jwks ? { jwks } : { jwksUri: jwksUri ?? await findKeySetUrl(ctx, issuer) };
    // Users, clients and workloads may trust the same name, but never share its keys.
    const signer = { ...keys, id: `workload ${issuer}`, trusted: true };
    return await verifyExternalJwt(ctx, signer, jwt, { algorithms, types });
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    return { problem: "the keys for it could not be fetched" };
  }
}

import { certificateRules } from "../../protocol/certificate_rules.ts";
import { type Compared, requirePresent, type Rule } from "../../protocol/rule.ts";
import type { RequestContext } from "../context.ts";

/** Returns the thumbprint of the certificate of a request, which must have one. */
export async function requireCertificate(ctx: RequestContext): Promise<string> {
  const thumbprint = await ctx.features.connectionProof?.thumbprint(ctx);
  return requirePresent(ctx.apply, certificateRules.required, thumbprint);
}

/** Checks that a request has the certificate that something is bound to, if it is bound to one. */
export async function checkCertificate(
  ctx: RequestContext,
  rule: Rule<Compared>,
  expected: string | undefined,
): Promise<void> {
  if (expected === undefined) return;
  const came = await ctx.features.connectionProof?.thumbprint(ctx);
  ctx.apply(rule, { came, expected });
}

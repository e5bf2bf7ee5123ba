import type { HeaderList } from "../../http/response_data.ts";
import type { Client } from "../../model/client.ts";
import type { EndpointField } from "../../model/server_metadata.ts";
import { certificateRules } from "../../protocol/certificate_rules.ts";
import { checkDpopProof, type DpopRequest } from "../../protocol/dpop_proof.ts";
import { dpop } from "../../protocol/dpop_rules.ts";
import { type Compared, requirePresent, type Rule } from "../../protocol/rule.ts";
import { minute } from "../../util/time/duration.ts";
import { featuresOf } from "../active_features.ts";
import { type Context, endpointUrls, type RequestContext } from "../context.ts";
import { chargeClientForStorage } from "../limits/budget.ts";

/** How long a nonce is current, in milliseconds. It is accepted for as long again. */
const nonceWindow = 1 * minute * 1000;

/**
 * Checks the DPoP proof of a request, if it has one. Returns the thumbprint of the key that the
 * sender holds (RFC 9449).
 */
export async function checkDpop(
  ctx: RequestContext,
  endpoint: EndpointField,
  token?: DpopRequest["token"],
): Promise<string | undefined> {
  const header = ctx.request.headers.get("DPoP");
  if (header === null) return undefined;
  const proof = await checkDpopProof(ctx.apply, header, {
    method: ctx.request.method,
    urls: endpointUrls(ctx, endpoint),
    algs: ctx.settings.dpopAlgs,
    now: ctx.now(),
    ...token && { token },
  });
  await checkNonce(ctx, proof.nonce);
  const isFirst = await ctx.records.dpopProofs.add(proof.id, null, proof.usableUntil);
  ctx.apply(dpop.unused, { isFirst });
  return proof.jkt;
}

/**
 * Checks the DPoP proof in a request that a client sends for itself. Storing that the proof was
 * used counts against the sender: a public client needs no credential to make us store such a row.
 */
export async function checkClientDpop(
  ctx: RequestContext,
  client: Client,
  endpoint: EndpointField,
): Promise<string | undefined> {
  chargeClientForStorage(ctx, client, null);
  return await checkDpop(ctx, endpoint);
}

/** Returns the header with the nonce for the next request (RFC 9449, section 8.2). */
export async function nonceHeaders(ctx: Context): Promise<HeaderList> {
  return [["DPoP-Nonce", await nonceOf(ctx, ctx.now())]];
}

/** A nonce proves that a proof was not made long before it is sent (RFC 9449, section 8). */
async function checkNonce(ctx: Context, nonce: string | undefined): Promise<void> {
  if (!ctx.settings.dpopNonces) return;
  const current = await nonceOf(ctx, ctx.now());
  const previous = await nonceOf(ctx, ctx.now() - nonceWindow);
  ctx.apply(dpop.nonce, { received: nonce, expected: [current, previous] });
}

/** A nonce is derived from the time, so that no process has to store it. */
function nonceOf(ctx: Context, time: number): Promise<string> {
  return ctx.keys.derive("dpop-nonce", String(Math.floor(time / nonceWindow)));
}

/** Returns the thumbprint of the certificate of a request, which must have one. */
export async function requireCertificate(ctx: RequestContext): Promise<string> {
  const thumbprint = await featuresOf(ctx).connectionProof?.thumbprint(ctx);
  return requirePresent(ctx.apply, certificateRules.required, thumbprint);
}

/** Checks that a request has the certificate that something is bound to, if it is bound to one. */
export async function checkCertificate(
  ctx: RequestContext,
  rule: Rule<Compared>,
  expected: string | undefined,
): Promise<void> {
  if (expected === undefined) return;
  const received = await featuresOf(ctx).connectionProof?.thumbprint(ctx);
  ctx.apply(rule, { received, expected });
}

import type { HeaderList } from "../../http/response.ts";
import type { EndpointField } from "../../model/server_metadata.ts";
import { checkDpopProof, type DpopRequest, invalidDpopProof } from "../../protocol/dpop_proof.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import { minute } from "../../util/duration.ts";
import type { ClientRequest } from "../clients/client_request.ts";
import { type Context, endpointUrls } from "../context.ts";
import { chargeClientForStorage } from "../limits/stored_bytes.ts";

const useDpopNonce = errorFactory("use_dpop_nonce", "RFC 9449, section 8");

/** How long a nonce is current, in milliseconds. It is accepted for as long again. */
const nonceWindow = 1 * minute * 1000;

/**
 * Checks the DPoP proof of a request, if it has one. Returns the thumbprint of the key that the
 * sender holds (RFC 9449).
 */
export async function checkProof(
  ctx: Context,
  request: Request,
  endpoint: EndpointField,
  token?: DpopRequest["token"],
): Promise<string | undefined> {
  const header = request.headers.get("DPoP");
  if (header === null) return undefined;
  const proof = await checkDpopProof(header, {
    method: request.method,
    urls: endpointUrls(ctx, endpoint),
    algs: ctx.settings.dpopAlgs,
    now: ctx.now(),
    ...token && { token },
  });
  await checkNonce(ctx, proof.nonce);
  const isFirst = await ctx.records.dpopProofs.add(proof.id, null, proof.usableUntil);
  if (!isFirst) {
    throw invalidDpopProof("The proof was used before; every request needs its own proof.");
  }
  return proof.jkt;
}

/**
 * Checks the DPoP proof of a request that a client sends itself. The mark that a proof was used is
 * charged: a public client needs no credential to make us store one with each request.
 */
export async function checkClientProof(
  ctx: Context,
  clientRequest: ClientRequest,
  endpoint: EndpointField,
): Promise<string | undefined> {
  const { request } = clientRequest;
  if (request.headers.has("DPoP")) chargeClientForStorage(ctx, clientRequest, null);
  return await checkProof(ctx, request, endpoint);
}

/**
 * Returns the header with the nonce for the next request, if nonces are required (RFC 9449, section
 * 8.2).
 */
export async function nonceHeaders(ctx: Context): Promise<HeaderList> {
  return ctx.settings.dpopNonces ? [["DPoP-Nonce", await nonceOf(ctx, ctx.now())]] : [];
}

/** A nonce proves that a proof was not made long before it is sent (RFC 9449, section 8). */
async function checkNonce(ctx: Context, nonce: string | undefined): Promise<void> {
  if (!ctx.settings.dpopNonces) return;
  const currentNonce = await nonceOf(ctx, ctx.now());
  if (nonce === currentNonce || nonce === await nonceOf(ctx, ctx.now() - nonceWindow)) return;
  throw useDpopNonce("The proof needs the nonce in the header DPoP-Nonce of this response.", {
    headers: { "DPoP-Nonce": currentNonce },
  });
}

/** A nonce is derived from the time, so that no process has to store it. */
function nonceOf(ctx: Context, time: number): Promise<string> {
  return ctx.derive("dpop-nonce", String(Math.floor(time / nonceWindow)));
}

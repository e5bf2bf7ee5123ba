import { jsonResponse, publicResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Context } from "../issuer/context.ts";
import { minute } from "../util/time/duration.ts";

/** How long clients may cache a document, in seconds. */
const maxAge = 5 * minute;

/** Publishes the server's metadata (RFC 8414; OpenID Connect Discovery). */
export function metadata(ctx: Context): ResponseData {
  return publicResponse(ctx.metadataText(), "application/json", maxAge);
}

/** Publishes the keys that verify what this server signed (RFC 7517). */
export async function jwks(ctx: Context): Promise<ResponseData> {
  return publicResponse(await ctx.keys.keySet(), "application/jwk-set+json", maxAge);
}

/**
 * Responds as long as the process lives. It reads nothing: a server whose store is away must not be
 * restarted for it. `/ready` on the metrics port checks whether it can work.
 */
export function health(ctx: Context): ResponseData {
  return jsonResponse({ status: "ok", issuer: ctx.settings.issuer });
}

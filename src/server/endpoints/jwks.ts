import { publicResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Context } from "../issuer/context.ts";
import { minute } from "../util/time/duration.ts";

/** How long clients may cache the keys, in seconds. */
const maxAge = 5 * minute;

/** Publishes the keys that verify what this server signed (RFC 7517). */
export async function jwks(ctx: Context): Promise<ResponseData> {
  return publicResponse(await ctx.keys.keySet(), "application/jwk-set+json", maxAge);
}

import { publicJson } from "../http/answer.ts";
import type { Context } from "../issuer/context.ts";

/** The keys that verify what this server signed (RFC 7517). */
export async function jwks(ctx: Context): Promise<Response> {
  return publicJson(JSON.stringify({ keys: await ctx.keys.publicKeys() }), "application/jwk-set+json");
}

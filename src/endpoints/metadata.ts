import { publicJson } from "../http/answer.ts";
import type { Context } from "../issuer/context.ts";

/** Tells a client everything about the server (RFC 8414; OpenID Connect Discovery). */
export function metadata(ctx: Context): Response {
  return publicJson(JSON.stringify(ctx.metadata));
}

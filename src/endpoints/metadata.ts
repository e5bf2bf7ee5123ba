import { publicText } from "../http/response.ts";
import type { Context } from "../issuer/context.ts";

/** For so long clients may keep the document, in seconds. */
const maxAge = 300;

/** Tells a client everything about the server (RFC 8414; OpenID Connect Discovery). */
export function metadata(ctx: Context): Response {
  return publicText(ctx.metadataText, "application/json", maxAge);
}

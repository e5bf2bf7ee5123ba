import { publicResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Context } from "../issuer/context.ts";
import { minute } from "../util/time/duration.ts";

/** How long clients may cache the document, in seconds. */
const maxAge = 5 * minute;

/** Publishes the server's metadata (RFC 8414; OpenID Connect Discovery). */
export function metadata(ctx: Context): ResponseData {
  return publicResponse(ctx.metadataText(), "application/json", maxAge);
}

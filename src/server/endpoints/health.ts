import { jsonResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Context } from "../issuer/context.ts";

/**
 * Responds as long as the process lives. It reads nothing: a server whose store is away must not be
 * restarted for it. Whether it can work is what `/ready` on the metrics port says.
 */
export function health(ctx: Context): ResponseData {
  return jsonResponse({ status: "ok", issuer: ctx.settings.issuer });
}

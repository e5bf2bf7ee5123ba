import { jsonResponse } from "../http/response.ts";
import type { Context } from "../issuer/context.ts";

/** Responds if the server and its store work. */
export async function health(ctx: Context): Promise<Response> {
  await ctx.records.keys.get("health");
  return jsonResponse({ status: "ok", issuer: ctx.settings.issuer });
}

import { json } from "../http/response.ts";
import type { Context } from "../issuer/context.ts";

/** Whether the server can do its work: it answers, and so does its store. */
export async function health(ctx: Context): Promise<Response> {
  await ctx.records.keys.get("health");
  return json({ status: "ok", issuer: ctx.settings.issuer });
}

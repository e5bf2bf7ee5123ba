import type { Client } from "../../model/client.ts";
import type { Context } from "../context.ts";

/**
 * The `sid` by which a client knows a session. One that was the same for every sector would link
 * subjects that are pairwise so that nothing links them (OpenID Connect Core, section 8.1).
 */
export async function sidFor(
  ctx: Context,
  client: Pick<Client, "subjectType" | "sector">,
  sid: string,
): Promise<string> {
  return client.subjectType === "public"
    ? sid
    : await ctx.derive("session", `${client.sector}\n${sid}`);
}

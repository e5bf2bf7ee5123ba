import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";

/** The `sub` by which a client knows a person; a pairwise one tells clients of different sectors nothing (OpenID Connect Core, section 8). */
export async function subjectFor(
  ctx: Context,
  client: Pick<Client, "subjectType" | "sector">,
  user: User,
): Promise<string> {
  return client.subjectType === "public"
    ? user.subject
    : await ctx.derive("subject", `${client.sector}\n${user.subject}`);
}

import { endSessionById, listSessionEntries } from "../../server/issuer/admin/manage_sessions.ts";
import type { Context } from "../../server/issuer/context.ts";

/** Ends the sessions with some ids, and waits until the applications got their logout tokens. */
export async function endSessions(ctx: Context, sids: readonly string[]): Promise<void> {
  for (const { session: { sid } } of await listSessionEntries(ctx)) {
    if (sids.includes(sid)) await endSessionById(ctx, sid);
  }
  await ctx.background.idle();
}

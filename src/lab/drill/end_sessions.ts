import { end as endSession, list as listSessions } from "../../server/issuer/admin/sessions.ts";
import type { Context } from "../../server/issuer/context.ts";

/** Ends the sessions with some ids, and waits until the applications got their logout tokens. */
export async function endSessions(ctx: Context, sids: readonly string[]): Promise<void> {
  for (const { session: { sid } } of await listSessions(ctx)) {
    if (sids.includes(sid)) await endSession(ctx, sid);
  }
  await ctx.background.idle();
}

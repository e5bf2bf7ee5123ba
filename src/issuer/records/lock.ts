import { OAuthError } from "../../protocol/oauth_error.ts";
import type { Context } from "../context.ts";
import { after } from "../time.ts";

/** A process that dies holds its lock until the row is swept. */
const longest = 30;

/** Reads something and writes it anew, while nobody else does so, in any process that shares the store. */
export async function withLock<T>(ctx: Context, what: string, act: () => Promise<T>): Promise<T> {
  if (!await ctx.records.locks.add(what, null, after(ctx, longest))) {
    throw new OAuthError("temporarily_unavailable", "Somebody else is changing this at the moment; try again.", {
      headers: { "Retry-After": "1" },
    });
  }
  try {
    return await act();
  } finally {
    await ctx.records.locks.delete(what);
  }
}

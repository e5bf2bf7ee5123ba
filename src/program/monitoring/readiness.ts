import type { Context } from "../../server/issuer/context.ts";
import { checkEncryption } from "../../server/issuer/keys/secrets_at_rest.ts";
import { findClockProblem } from "../../server/issuer/store_clock.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import { minute, second } from "../../server/util/time/duration.ts";
import { withTimeout } from "../../server/util/time/promises.ts";

/** Whether a server can do its work, and if not, why. */
export type ReadinessVerdict = { ready: true; warning?: string } | { ready: false; reason: string };

/** Finds out whether a server can do its work. */
export type Readiness = ReturnType<typeof createReadiness>;

/** How long a verdict is served before the next row is written, in milliseconds. */
const verdictLifetime = 1 * second * 1000;
/** How long the server may take for what it does, in milliseconds. */
const defaultTimeout = 2 * second * 1000;
/** How long the written row lives, in milliseconds. */
const rowLifetime = 1 * minute * 1000;

/**
 * Creates the check of a server: a row can be written, where others find it, and there is a key
 * that signs. However many ask, a row is written at most once a second.
 */
export function createReadiness(
  contextOf: () => Context | undefined,
  now: () => number = () => performance.now(),
  timeout: number = defaultTimeout,
) {
  const rowId = crypto.randomUUID();
  let closing = false;
  let latest: { at: number; verdict: Promise<ReadinessVerdict> } | undefined;

  return {
    async check(): Promise<ReadinessVerdict> {
      if (closing) return { ready: false, reason: "The server is closing." };
      const ctx = contextOf();
      if (!ctx) return { ready: false, reason: "The server is starting." };
      if (!latest || now() - latest.at >= verdictLifetime) {
        latest = { at: now(), verdict: checkReadiness(ctx, rowId, timeout) };
      }
      const verdict = await latest.verdict;
      // On a quiet server, nothing but probes would start the work in the background.
      if (verdict.ready && !closing) ctx.maintain();
      return verdict;
    },
    /** From now on the server is not ready, because it is closing. */
    close: () => void (closing = true),
  };
}

async function checkReadiness(
  ctx: Context,
  rowId: string,
  timeout: number,
): Promise<ReadinessVerdict> {
  const tooSlow = () => new Error(`It took longer than ${timeout / 1000} seconds.`);
  try {
    const warning = await withTimeout(timeout, useEachPart(ctx, rowId), tooSlow);
    return { ready: true, ...warning !== undefined && { warning } };
  } catch (cause) {
    return { ready: false, reason: messagesOf(cause) };
  }
}

/** Returns a problem that does not keep the server from working. */
async function useEachPart(ctx: Context, rowId: string): Promise<string | undefined> {
  const { records, keys, settings, now } = ctx;
  await settings.store.check?.();
  await records.probes.put(rowId, null, now() + rowLifetime);
  await keys.active(settings.alg);
  // Another HALLPASS_SECRET may have encrypted the keys again since this server read them.
  await checkEncryption(ctx);
  const problem = await findClockProblem(ctx);
  // A server on SQLite is alone, and compares its clock with the past of the same one.
  if (problem === undefined || settings.store.name?.startsWith("sqlite:")) return problem;
  // Next to other servers, it would refuse the codes of each of them, and they its own.
  throw new Error(problem);
}

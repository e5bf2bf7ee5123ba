import type { Context } from "./context.ts";
import { tendKeys } from "./keys/rotate_keys.ts";

const batch = 500;
const pause = 30_000;

/** Deletes expired rows, a batch at a time, and tends the keys, after requests: there is no timer, and no request waits for it. */
export function createSweeper(ctx: Context): () => void {
  const { records, now, emit } = ctx;
  let due = now() + pause;

  async function sweep(): Promise<void> {
    await tendKeys(ctx);
    const rows = await records.sweep(batch);
    // A full batch means that there is more: the next request goes on.
    if (rows === batch) due = now();
    if (rows > 0) emit({ type: "rows.swept", rows });
  }

  return () => {
    if (now() < due) return;
    due = now() + pause;
    sweep().catch((cause) => emit({ type: "sweep.failed", cause }));
  };
}

import type { Context } from "./context.ts";

const batch = 500;
const pause = 30_000;

/** Deletes expired rows, a batch at a time, after requests: there is no timer, and no request waits for it. */
export function createSweeper({ records, now, emit }: Context): () => void {
  let due = now() + pause;
  return () => {
    if (now() < due) return;
    due = now() + pause;
    records.sweep(batch).then((rows) => {
      // A full batch means that there is more: the next request goes on.
      if (rows === batch) due = now();
      if (rows > 0) emit({ type: "rows.swept", rows });
    }, (cause) => emit({ type: "sweep.failed", cause }));
  };
}

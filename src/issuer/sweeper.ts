import type { Event } from "./events.ts";
import type { Records } from "./records.ts";

const batch = 500;
const pause = 30_000;

/** Clears away expired rows, a batch at a time, in the wake of requests: no timer, and never in anybody's way. */
export function createSweeper(records: Records, now: () => number, emit: (event: Event) => void): () => void {
  let due = now() + pause;
  return () => {
    if (now() < due) return;
    due = now() + pause;
    records.sweep(batch).then((rows) => {
      // A full batch means that there is more: the next request goes on.
      if (rows === batch) due = now();
      if (rows > 0) emit({ type: "rows.swept", rows });
    }, (cause) => emit({ type: "server.failed", method: "", path: "sweep", cause }));
  };
}

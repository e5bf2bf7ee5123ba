import { createDeferred } from "../../server/util/time/promises.ts";
import { LabError } from "../util/lab_error.ts";
import type { RecordedParts } from "./lab_parts.ts";

/** Waits until the clock of a lab shows a later time, because a test moved it or time passed. */
export async function waitOnClock(
  { clock, events, waits }: Pick<RecordedParts, "clock" | "events" | "waits">,
  due: number,
): Promise<void> {
  let isReleased = waits.isClosed();
  const endRelease = waits.onRelease(() => void (isReleased = true));
  try {
    while (clock.now() < due && !isReleased) {
      const { promise: moved, resolve } = createDeferred<void>();
      const unsubscribe = events.subscribe(({ type }) => type === "clock.moved" && resolve());
      await waits.within(clock.frozen ? Infinity : due - clock.now(), moved);
      unsubscribe();
    }
  } finally {
    endRelease();
  }
  if (isReleased) throw new LabError("The lab was closed before the user acted.");
}

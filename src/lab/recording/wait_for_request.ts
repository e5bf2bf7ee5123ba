import type { Duration } from "../../server/util/time/duration.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";
import type { Waits } from "../util/waits.ts";
import type { RecordedRequest } from "./recorded_request.ts";
import type { Recorder, RequestFilter } from "./recorder.ts";

const defaultTimeout = "5s";

/** How long to wait. */
export interface WaitOptions {
  /**
   * The longest time to wait, in real time.
   *
   * @default "5s"
   */
  timeout?: Duration;
}

/**
 * Returns the oldest matching request that no call has returned yet, and waits for one if needed.
 */
export async function waitForRequest(
  recorder: Recorder,
  waits: Waits,
  filter: RequestFilter = {},
  { timeout = defaultTimeout }: WaitOptions = {},
): Promise<RecordedRequest> {
  const milliseconds = readSpan(timeout);
  const { request, cancel } = recorder.take(filter);
  const found = await waits.within(milliseconds, request).finally(cancel);
  if (found) return found;
  const paths = new Set(recorder.all().map(({ request: { path } }) => path));
  throw new LabError(
    `No matching request came within ${timeout}. Requests came for: ${
      [...paths].join(", ") || "(none)"
    }.`,
  );
}

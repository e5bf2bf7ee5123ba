import { createVouchedRequests, type VouchedRequests } from "../lab_server/vouched_requests.ts";
import type { LabRecord } from "../recording/lab_record.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { Timeline } from "../recording/timeline.ts";

/** What a lab remembers of its test and of the requests, until a reset. */
export interface LabMemory {
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  /** The secrets of the sessions of users who signed in hands-free, by their names. */
  readonly unaskedSessions: Map<string, string>;
  /** What the dialect remembers of users. */
  readonly seen: Map<string, true>;
  /** The requests of flows that may end at the lab without a redirect URI of their client. */
  readonly vouchedRequests: VouchedRequests;
  /** The cookies of each browser that a test named. */
  readonly cookies: Map<string, Map<string, string>>;
}

export function createLabMemory(
  { recorder, timeline }: LabRecord,
  now: () => number,
): LabMemory {
  return {
    recorder,
    timeline,
    unaskedSessions: new Map(),
    seen: new Map(),
    vouchedRequests: createVouchedRequests(now),
    cookies: new Map(),
  };
}

/** Returns the function that forgets the test: what it did, changed and chose. */
export function forgetter(memory: LabMemory): () => void {
  const parts: Readonly<Record<keyof LabMemory, { clear(): void }>> = memory;
  return () => {
    for (const part of Object.values(parts)) part.clear();
  };
}

import { createRecorder, type Recorder } from "./recorder.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** What a lab records. The identity provider of an enterprise shares it with its lab. */
export interface LabRecord {
  readonly recorder: Recorder;
  readonly timeline: Timeline;
  /** The name of the tenant in the record; undefined for the lab whose record it is. */
  readonly tenant?: string | undefined;
}

export function createLabRecord(issuer: string): LabRecord {
  return { recorder: createRecorder(), timeline: createTimeline(issuer) };
}

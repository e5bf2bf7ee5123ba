import type { RecordedFlows } from "../flows/flow_diagrams.ts";
import type { LabParts } from "./lab_parts.ts";

/** Returns everything that was recorded, as diagrams read it. */
export function recordedIn({ issuer, recorder, timeline }: LabParts): RecordedFlows {
  return { issuer, exchanges: recorder.all(), flows: timeline.list() };
}

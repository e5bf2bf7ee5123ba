import { LabError } from "./lab_error.ts";

/** Decodes the open segment of a path of the lab. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new LabError("The path is malformed.");
  }
}

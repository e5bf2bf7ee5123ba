import { LabError } from "./lab_error.ts";

/** Decodes the open segment of a path of the lab. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new LabError("The path is malformed.");
  }
}

/** Reads the number of a recorded request in a path. */
export function readRequestNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new LabError(`'${text}' is not the number of a recorded request.`);
}

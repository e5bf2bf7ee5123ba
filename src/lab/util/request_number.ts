import { LabError } from "./lab_error.ts";

/** Reads the number of a recorded request in a path. */
export function readRequestNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new LabError(`'${text}' is not the number of a recorded request.`);
}

import { day, type Duration, parseDuration } from "../util/duration.ts";
import type { Settings } from "./settings.ts";
import type { ReportProblem } from "./shape.ts";

/** What of a configuration speaks of the rotation of keys. */
interface Rotating {
  keyRotation?: Duration | "never";
  keyOverlap?: Duration;
}

/** How long a key signs, and how long it is shown before, in milliseconds. */
export function rotationOf(
  { keyRotation = 90 * day, keyOverlap = 1 * day }: Rotating,
): Settings["keyRotation"] {
  const every = keyRotation === "never" ? undefined : parseDuration(keyRotation)! * 1000;
  return { every, overlap: parseDuration(keyOverlap)! * 1000 };
}

/** A successor must not be due before its predecessor signs. */
export function checkRotation(config: Rotating, report: ReportProblem): void {
  const { every, overlap } = rotationOf(config);
  if (every !== undefined && every <= overlap) {
    report(
      "keyRotation",
      "must be longer than 'keyOverlap', for which a key is shown before it signs",
    );
  }
}

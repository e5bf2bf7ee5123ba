import { parseDuration } from "../util/time/duration.ts";
import type { FilledConfig } from "./config_defaults.ts";
import type { ReportProblem } from "./problems.ts";
import type { KeyRotation } from "./settings.ts";

/** Returns when signing keys change. */
export function rotationOf({ keyRotation, keyOverlap }: FilledConfig): KeyRotation {
  const every = keyRotation === "never" ? undefined : toMilliseconds(keyRotation);
  return { every, overlap: toMilliseconds(keyOverlap) ?? 0 };
}

/** Reports a rotation that makes a successor due before its predecessor signs. */
export function checkRotation(config: FilledConfig, report: ReportProblem): void {
  const { every, overlap } = rotationOf(config);
  if (every !== undefined && every <= overlap) {
    report(
      "keyRotation",
      "must be longer than keyOverlap, for which a key is published before it signs",
    );
  }
}

function toMilliseconds(duration: unknown): number | undefined {
  const seconds = parseDuration(duration);
  return seconds === undefined ? undefined : seconds * 1000;
}

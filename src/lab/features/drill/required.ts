import type { Check } from "../../findings/finding.ts";
import { triedIn, type Tries } from "./drill_result.ts";

/** The parts of a drill that a build can require, with the ids of what tests them. */
export type Parts = Readonly<Record<string, RegExp>>;

export const applicationParts: Parts = {
  "refresh": /^refresh\./,
  "sign-out": /^session_survives$/,
  "new-key": /^new_key$/,
  "signatures": /^id_token\.foreign_signature$/,
  "back-channel-logout": /^logout_token\./,
};

/** Returns which of the required parts nothing has tested. */
export function missingIn(result: Tries, parts: Parts, required: readonly string[] = []): string[] {
  return required.filter((name) => !triedIn(result).some((id) => parts[name]?.test(id)));
}

/** Returns checks that fail because required parts were not tested. */
export function missingChecks(missing: readonly string[]): Check[] {
  return missing.map((name) => {
    const check = { id: "required", title: name };
    return {
      ...check,
      findings: [{ ...check, title: describeMissing([name]), level: "violation", where: {} }],
    };
  });
}

/** Says which required parts were not tested. */
export function describeMissing(missing: readonly string[]): string {
  return `Required, and not tested: ${missing.join(", ")}.`;
}

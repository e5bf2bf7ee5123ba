import type { Check } from "../../findings/finding.ts";
import { groupBy } from "../../util/lists.ts";

/** How many are named for each reason. */
const maxNames = 3;

/** What a drill tried. That of an API has checks alone. */
export interface Tries {
  outcomes?: ReadonlyArray<Untried & { outcome: string }>;
  checks: readonly Check[];
}

/** What showed nothing, by its fault or id, and why. */
export interface Untried {
  fault: string;
  reason?: string | undefined;
  /** Whether another drill may find out more. */
  undecided?: boolean | undefined;
}

/** Returns the faults and the ids of what showed something. */
export function triedIn({ outcomes = [], checks }: Tries): string[] {
  return [
    ...outcomes.filter(({ outcome }) => outcome !== "unmet").map(({ fault }) => fault),
    ...checks.filter(({ skipped }) => skipped === undefined).map(({ id }) => id),
  ];
}

export function untriedIn({ outcomes = [], checks }: Tries): Untried[] {
  const skipped = checks.map(({ id, skipped, undecided }) => {
    return { fault: id, reason: skipped, undecided };
  });
  return [
    ...outcomes.filter(({ outcome }) => outcome === "unmet"),
    ...skipped.filter(({ reason }) => reason !== undefined),
  ];
}

/** Lists what was not met for a terminal: most have the same reason, so it is there once. */
export function listUnmet(outcomes: readonly Untried[]): string[] {
  return groupBy(outcomes, ({ reason = "" }) => reason).flatMap((group) => {
    const [{ reason = "Nothing is known about these." }] = group;
    const names = group.map(({ fault }) => fault);
    return [`  ${reason}`, `      ${firstOf(names)}`];
  });
}

/** Names the first of many, and how many more there are. */
export function firstOf(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return names.slice(0, maxNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Returns checks that fail because required parts were not tested. */
export function missingChecks(missing: readonly string[]): Check[] {
  return missing.map((name) => ({
    id: "required",
    title: name,
    problem: describeMissing([name]),
  }));
}

/** Says which required parts were not tested. */
export function describeMissing(missing: readonly string[]): string {
  return `Required, and not tested: ${missing.join(", ")}.`;
}

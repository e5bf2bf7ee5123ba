import type { Check, Finding } from "../../findings/finding.ts";
import { type FindingGrade, isAtLeast } from "../../findings/grade.ts";
import type { Untested } from "../../findings/verdict.ts";
import { groupBy } from "../../util/lists.ts";
import { failsAnyway } from "./conclude.ts";

/** How many are named for each reason. */
const maxNames = 3;

/** What a drill tried. That of an API has checks alone. */
export interface Tries {
  outcomes?: ReadonlyArray<{ fault: string; outcome: string; reason?: string | undefined }>;
  checks: readonly Check[];
}

/** Returns the faults and the ids of what showed something. */
export function triedIn({ outcomes = [], checks }: Tries): string[] {
  return [
    ...outcomes.filter(({ outcome }) => outcome !== "unmet").map(({ fault }) => fault),
    ...checks.filter(({ skipped }) => skipped === undefined).map(({ id }) => id),
  ];
}

/** Returns what showed nothing, by its fault or id, and why. */
export function untriedIn(
  { outcomes = [], checks }: Tries,
): Array<{ fault: string; reason?: string | undefined }> {
  const skipped = checks.map(({ id, skipped }) => ({ fault: id, reason: skipped }));
  return [
    ...outcomes.filter(({ outcome }) => outcome === "unmet"),
    ...skipped.filter(({ reason }) => reason !== undefined),
  ];
}

/** Lists what was not met for a terminal: most have the same reason, so it is there once. */
export function listUnmet(
  outcomes: readonly { fault: string; reason?: string | undefined }[],
): string[] {
  return groupBy(outcomes, ({ reason = "" }) => reason).flatMap((group) => {
    const [{ reason = "Nothing is known about these." }] = group;
    const names = group.map(({ fault }) => fault);
    return [`  ${reason}`, `      ${firstOf(names)}`];
  });
}

/** Names the first of many, and how many more there are. */
function firstOf(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return names.slice(0, maxNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

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

/** Something that another drill may decide. */
interface Undecided {
  id: string;
  reason?: string | undefined;
  /** The grades that it can have, the worst first. */
  grades: ReadonlyArray<FindingGrade | undefined>;
}

/**
 * Returns what checks and variants left open that another drill may decide, and how. What could be
 * no worse than what was found costs no letter.
 */
export function untestedBy(
  undecided: readonly Undecided[],
  findings: ReadonlyArray<Pick<Finding, "grade">>,
): Untested[] {
  const isLow = ({ grades: [worst] }: Undecided) =>
    worst === undefined || findings.some((each) => isAtLeast(each, worst));
  const failing = undecided.filter(({ reason }) => reason?.startsWith(failsAnyway));
  const others = undecided.filter((each) => !failing.includes(each));
  const groups = [[failing, isLockedOut], [others, isSlow]] as const;
  return groups.filter(([found]) => found.length > 0).map(([found, why]) => ({
    what: firstOf(found.map(({ id }) => id)),
    why,
    used: !found.every(isLow),
  }));
}

const isLockedOut = "What a drill does there failed without an attack as well: the user or the " +
  "client may be locked out, or its requests limited. Lift the limit, or drill these alone: --only.";

const isSlow =
  "It was too slow, or failed now and then. Drill it while nothing else uses it, and " +
  "give it time: --patience 30, or patience: 30.";

import type { Check, Finding } from "./finding.ts";

/** One thing that a drill finds out about an application or an API. */
export interface DrillCheck {
  /** Never changes its meaning: `"expired"`. */
  id: string;
  /** What must or should be, or what the check finds out, in one sentence. */
  title: string;
  /** The section with the rule. */
  see: string;
  /** What an attacker gains, or a user loses, if the rule is broken. */
  gain: string;
  fix: string;
}

/** What a check found. */
export interface CheckVerdict {
  /** What came that is wrong, or could be better. Without any, the check passed. */
  wrong?: readonly Deviation[];
  /** What is worth knowing, where either is right. */
  note?: string | undefined;
  /** Why the check showed nothing. */
  skipped?: string | undefined;
}

/** One thing that is wrong, or could be better. */
export type Deviation = Pick<Finding, "level" | "received">;

/** Describes what could be better, though no rule is broken. */
export function advice(received: string): Deviation {
  return { level: "advice", received };
}

/** Returns a check with its verdict. It has one finding, so that every place counts the same. */
export function toCheck(
  { id, title, see, gain, fix }: DrillCheck,
  { wrong = [], note, ...others }: CheckVerdict,
  where: Finding["where"],
): Check {
  const findings = wrong.length > 0 &&
    [{ id, title, ...joinDeviations(wrong), gain, fix, see, where }];
  return { id, title, ...findings && { findings }, ...note && { note }, ...others };
}

function joinDeviations(wrong: readonly Deviation[]): Deviation {
  const isBroken = wrong.some(({ level }) => level === "violation");
  return {
    level: isBroken ? "violation" : "advice",
    received: wrong.map(({ received }) => received).join("; "),
  };
}

import { type Basis, type Check, type Finding, type FindingClass, levelOf } from "./finding.ts";

/** One thing that a drill finds out about an application or an API. */
export interface DrillCheck extends Omit<Basis, "why" | "binds"> {
  /** Never changes its meaning: `"expired"`. */
  id: string;
  /** What must or should be, or what the check finds out, in one sentence. */
  title: string;
  /** What it is if that is not so, unless what was found says it. */
  class?: Exclude<FindingClass, "note"> | undefined;
  /** The sentence of the section that decides. */
  why?: string | undefined;
  /** Whom the sentence binds. */
  binds?: Basis["binds"] | undefined;
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
export type Deviation = Pick<Finding, "level" | "kind" | "received">;

/** Describes what is wrong, by what that is. */
export function deviation(kind: Exclude<FindingClass, "note">, received: string): Deviation {
  return { ...levelOf(kind), received };
}

/** Describes what could be better, though no rule is broken. */
export function advice(received: string): Deviation {
  return deviation("advice", received);
}

/** Returns a check with its verdict. It has one finding, so that every place counts the same. */
export function toCheck(
  { id, title, see, why, binds, gain, fix, class: kind }: DrillCheck,
  { wrong = [], note, ...others }: CheckVerdict,
  where: Finding["where"],
): Check {
  const described = { id, title, gain, fix, see, ...why && { why, binds } };
  const findings = wrong.length > 0 && [{ ...described, ...joinDeviations(wrong, kind), where }];
  return { id, title, ...findings && { findings }, ...note && { note }, ...others };
}

function joinDeviations(wrong: readonly Deviation[], kind: DrillCheck["class"]): Deviation {
  const violations = wrong.filter(({ level }) => level === "violation");
  const kinds = violations.map((each) => each.kind ?? (kind === "advice" ? undefined : kind));
  const worst = kinds.includes("attack") ? "attack" : kinds.find((each) => each !== undefined);
  return {
    level: violations.length > 0 ? "violation" : "advice",
    ...worst && { kind: worst },
    received: wrong.map(({ received }) => received).join("; "),
  };
}

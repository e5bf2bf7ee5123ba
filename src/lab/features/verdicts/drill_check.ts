import {
  type Basis,
  basisIn,
  type Check,
  type Finding,
  type FindingClass,
  levelOf,
} from "../../findings/finding.ts";

/** One thing that a drill finds out about an application or an API. */
export interface DrillCheck extends Basis {
  /** Never changes its meaning: `"expired"`. */
  id: string;
  /** What must or should be, or what the check finds out, in one sentence. */
  title: string;
  /**
   * What is wrong if that is not so, in a few words: the heading of the finding.
   *
   * @default "Accepts an expired token" for "An expired token must be refused"
   */
  mistake?: string;
  /** What it is if that is not so, unless what was found says it. A note is no finding. */
  class: FindingClass;
  /** What an attacker gains, or a user loses, if the rule is broken. */
  gain: string;
  fix: string;
}

export interface CheckReading {
  /** What came that is wrong, or could be better. Without any, the check passed. */
  wrong?: readonly Deviation[];
  /** What is worth knowing, where either is right. */
  note?: string | undefined;
  /** What it accepts that matters only in a situation which was not seen: the condition first. */
  unjudged?: string | undefined;
  /** Why the check showed nothing. */
  skipped?: string | undefined;
  /** Whether it passed because something failed, which shows nothing where a login fails as well. */
  byFailure?: boolean | undefined;
}

/** One thing that is wrong, or could be better. */
export interface Deviation {
  /** What came. */
  received: string;
  /**
   * What it is.
   *
   * @default the class of the check
   */
  class?: Exclude<FindingClass, "note">;
  /**
   * The heading of the finding.
   *
   * @default the mistake of the check
   */
  mistake?: string;
}

/** Returns a check with its verdict. It has one finding, so that every place counts the same. */
export function toCheck(
  check: DrillCheck,
  { wrong = [], note, unjudged, skipped }: CheckReading,
  where: Finding["where"],
): Check {
  const { id, title, mistake = mistakeOf(title), gain, fix, class: usual } = check;
  const classes = wrong.map((each) => each.class ?? usual);
  const worst = (["attack", "rule", "advice"] as const).find((each) => classes.includes(each));
  const received = wrong.map((each) => each.received).join("; ");
  const found = wrong.find((each) => (each.class ?? usual) === worst)?.mistake ?? mistake;
  const findings = worst &&
    [{ id, title: found, ...levelOf(worst), received, gain, fix, ...basisIn(check), where }];
  const remarks = { ...note && { note }, ...unjudged && { unjudged } };
  return { id, title, ...findings && { findings }, ...remarks, ...skipped && { skipped } };
}

/** Names what is wrong if a title does not hold. */
function mistakeOf(title: string): string {
  return title.replace(
    /^(An?|The) (.+) (?:must|should) be (refused|accepted)$/,
    (_, article: string, what: string, due: string) =>
      `${due === "refused" ? "Accepts" : "Refuses"} ${article.toLowerCase()} ${what}`,
  );
}

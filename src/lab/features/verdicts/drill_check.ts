import { type Basis, basisIn, type Check, type Finding, rankOf } from "../../findings/finding.ts";
import { gradeMistake, type RowClass, type SeenFact } from "../../findings/grade.ts";

/** One thing that a drill finds out about an application or an API. */
export interface DrillCheck extends Basis, RowClass {
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
  gain: string;
  fix: string;
}

/** What a drill can find. */
export interface DescribedTry
  extends Pick<DrillCheck, "id" | "title" | "see" | "why" | "gain" | "fix"> {
  /** Which grades it can have, the worst first. */
  grades: string;
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
  /** Whether another drill may find out more. */
  isUndecided?: boolean | undefined;
  /** Whether it passed because something failed, which shows nothing where a login fails as well. */
  byFailure?: boolean | undefined;
}

/** One thing that is wrong, or could be better. */
export interface Deviation {
  /** What came. */
  received: string;
  /** What it shows that decides how bad it is. */
  facts?: readonly SeenFact[];
  /**
   * The heading of the finding.
   *
   * @default the mistake of the check
   */
  mistake?: string;
}

/**
 * Returns a check with its verdict, for what was seen of its subject. It has one finding, so that
 * every place counts the same: as bad as the worst of what came.
 */
export function toCheck(
  check: DrillCheck,
  { wrong = [], note, unjudged, skipped, isUndecided }: CheckReading,
  where: Finding["where"],
  seen: readonly SeenFact[] = [],
): Check {
  const { id, title, fix } = check;
  const graded = wrong.map(({ facts = [], mistake = mistakeIn(check), received }): Finding => ({
    id,
    title: mistake,
    ...gradeMistake(check, [...seen, ...facts]),
    received,
    fix,
    ...basisIn(check),
    where,
  }));
  const [worst] = graded.toSorted((one, other) => rankOf(one) - rankOf(other));
  const received = wrong.map((each) => each.received).join("; ");
  const left = worst && worst.grade === undefined ? `${worst.title}: ${received}.` : unjudged;
  const gains = graded.flatMap(({ grade, gain }) => grade === worst?.grade ? gain ?? [] : []);
  const gain = [...new Set(gains)].join(" ");
  return {
    id,
    title,
    ...worst?.grade && { findings: [{ ...worst, received, ...gain && { gain } }] },
    ...note && { note },
    ...left && { unjudged: left },
    ...skipped && { skipped },
    ...isUndecided && { undecided: true },
  };
}

/** Names what is wrong if the title of a check does not hold. */
function mistakeIn({ title, mistake }: DrillCheck): string {
  return mistake ?? title.replace(
    /^(An?|The) (.+) (?:must|should) be (refused|accepted)$/,
    (_, article: string, what: string, due: string) =>
      `${due === "refused" ? "Accepts" : "Refuses"} ${article.toLowerCase()} ${what}`,
  );
}

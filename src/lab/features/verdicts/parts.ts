import table from "../../../../static/requirements.json" with { type: "json" };
import type { Finding } from "../../findings/finding.ts";
import { type FindingGrade, isAtLeast } from "../../findings/grade.ts";
import type { Untested } from "../../findings/verdict.ts";
import { failsAnyway } from "./conclude.ts";
import { isNamed } from "./fold.ts";
import { firstOf, triedIn, type Tries, type Untried, untriedIn } from "./required.ts";

/** A part of a drill, which a build can require. */
interface Part {
  /** As `--require` takes it. */
  readonly name: string;
  readonly side: string;
  /** What it is called in a verdict. */
  readonly what: string;
  /** The faults and ids of what tests it. */
  readonly checks: readonly string[];
  /** Why it was not tested, if that is not what its check says. */
  readonly why?: string;
}

type Side = "application" | "api";

const parts: readonly Part[] = table.parts;

/** Returns a part of a drill by its name. */
export function findPart(side: Side, name: string): Part | undefined {
  return parts.find((part) => part.side === side && part.name === name);
}

function isOf({ checks }: Part, id: string): boolean {
  return checks.some((each) => isNamed(id, each));
}

/** Returns which of the required parts nothing has tested. */
export function missingIn(result: Tries, side: Side, required: readonly string[] = []): string[] {
  const tried = triedIn(result);
  return required.filter((name) => {
    const part = findPart(side, name);
    return !part || !tried.some((id) => isOf(part, id));
  });
}

/**
 * Returns what a drill tried to test, and could not: the verdict is about the rest. What another
 * drill may decide, and could be no worse than what was found, costs no letter.
 */
export function untestedIn(side: Side, tries: Tries, { findings, isUsed, worstOf }: {
  findings: ReadonlyArray<Pick<Finding, "grade">>;
  /** Returns whether a part was seen in use; undefined if it need not be tested. */
  isUsed(part: Part): boolean | undefined;
  /** Returns the worst grade that a variant or check can have. */
  worstOf(id: string): FindingGrade | undefined;
}): Untested[] {
  const [tried, untried] = [triedIn(tries), untriedIn(tries)];
  const surely = parts.filter((part) => part.side === side).flatMap((part): Untested[] => {
    const own = untried.filter(({ fault }) => isOf(part, fault));
    const used = isUsed(part);
    const isOpen = own.some((each) => each.undecided) || tried.some((id) => isOf(part, id));
    if (used === undefined || isOpen || own.length === 0) return [];
    return [{ what: part.what, why: part.why ?? own[0]?.reason ?? "", used }];
  });
  const isLow = ({ fault }: Untried) => {
    const worst = worstOf(fault);
    return worst === undefined || findings.some((each) => isAtLeast(each, worst));
  };
  const undecided = untried.filter((each) => each.undecided);
  const failing = undecided.filter(({ reason }) => reason?.startsWith(failsAnyway));
  const others = undecided.filter((each) => !failing.includes(each));
  const groups = [[failing, isLockedOut], [others, isSlow]] as const;
  return [
    ...surely,
    ...groups.filter(([found]) => found.length > 0).map(([found, why]): Untested => ({
      what: firstOf(found.map(({ fault }) => fault)),
      why,
      used: !found.every(isLow),
    })),
  ];
}

const isLockedOut = "What a drill does there failed without an attack as well: the user or the " +
  "client may be locked out, or its requests limited. Lift the limit, or drill these alone: --only.";

const isSlow =
  "It was too slow, or failed now and then. Drill it while nothing else uses it, and " +
  "give it time: --patience 30, or patience: 30.";

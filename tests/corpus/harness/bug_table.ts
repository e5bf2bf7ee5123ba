import type { Bug } from "../broken/bug.ts";
import { isNamed, type NamedBug } from "./judge.ts";
import type { Measures } from "./measures.ts";

const kindNames: Readonly<Record<Bug["kind"], string>> = {
  protocol: "of the protocol",
  session: "of session, pages, account, sign-out",
  api: "of an API",
};

/** Prints how the bugs of something were named. */
export function measureNames(bugs: readonly NamedBug[], what: string, measures: Measures): void {
  const named = bugs.filter(isNamed);
  const kinds = [...new Set(bugs.map(({ bug }) => bug.kind))];
  const count = (isWanted: (each: NamedBug) => boolean) => bugs.filter(isWanted).length;
  console.log();
  measures.add(`mistakes of ${what}`, named.length, bugs.length);
  for (const kind of kinds.length > 1 ? kinds : []) {
    const ofKind = bugs.filter(({ bug }) => bug.kind === kind);
    measures.add(`  ${kindNames[kind]}`, ofKind.filter(isNamed).length, ofKind.length);
  }
  if (!kinds.includes("api")) {
    measures.add(`  of ${what}, by the report`, count(({ byReport }) => byReport), bugs.length);
    measures.add(`  of ${what}, by the drill`, count(({ byDrill }) => byDrill), bugs.length);
    const prefilled = count(({ byPrefilled }) => byPrefilled);
    measures.add(`  of ${what}, by the prefilled drill`, prefilled, bugs.length);
  }
  if (named.length === 0) return;
  const findings = named.reduce((sum, each) => sum + each.findings, 0);
  const first = named.filter(({ isFirst }) => isFirst).length;
  measures.add(`findings for each mistake of ${what}`, findings / named.length);
  measures.add(`mistakes of ${what} that another finding precedes`, named.length - first);
}

/** Describes how one bug was named: by the report, the drill, and the prefilled drill. */
export function describeBug({ bug, byReport, byDrill, byPrefilled, findings }: NamedBug): string {
  const marks = [byReport ? "R" : "-", byDrill ? "D" : "-", byPrefilled ? "P" : "-"].join("");
  return `${marks} ${String(findings).padStart(2)}  ${bug.bug}`;
}

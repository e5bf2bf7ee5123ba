import type { Bug } from "../broken/bug.ts";
import { isNamed, type NamedBug } from "./judge.ts";

/** Prints how the bugs were named, and returns the numbers. */
export function summarizeBugs(bugs: readonly NamedBug[], what: string) {
  const named = bugs.filter(isNamed);
  const share = (part: number, whole: number) =>
    whole === 0 ? "–" : `${part} of ${whole} (${Math.round(100 * part / whole)} %)`;
  const of = (list: readonly NamedBug[]) => share(list.filter(isNamed).length, list.length);
  const kinds = [...new Set(bugs.map(({ bug }) => bug.kind))];
  const findings = named.reduce((sum, each) => sum + each.findings, 0) / named.length;
  const rows: Array<[name: string, value: string]> = [
    [`${what}: named by report or drill`, of(bugs)],
    ...kinds.length > 1
      ? kinds.map((kind): [string, string] => [
        `  ${names[kind]}`,
        of(bugs.filter(({ bug }) => bug.kind === kind)),
      ])
      : [],
    ...kinds.includes("api") ? [] : byMeans.map(([name, isBy]): [string, string] => [
      name,
      share(bugs.filter(isBy).length, bugs.length),
    ]),
    ["  findings for each named bug", named.length === 0 ? "–" : findings.toFixed(2)],
    ["  the planted one first", share(named.filter(({ isFirst }) => isFirst).length, named.length)],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(48)} ${value}`);
  return { named: named.length, findings };
}

const byMeans: ReadonlyArray<[name: string, isBy: (each: NamedBug) => boolean]> = [
  ["  by the report alone", ({ byReport }) => byReport],
  ["  by the drill with all URLs", ({ byDrill }) => byDrill],
  ["  by the drill as the page prefills it", ({ byPrefilled }) => byPrefilled],
];

const names: Readonly<Record<Bug["kind"], string>> = {
  protocol: "protocol",
  session: "session, pages, account, sign-out",
  api: "API",
};

/** Describes how one bug was named. */
export function describeBug({ bug, byReport, byDrill, byPrefilled, findings }: NamedBug): string {
  const marks = [byReport ? "R" : "-", byDrill ? "D" : "-", byPrefilled ? "P" : "-"].join("");
  return `${marks} ${String(findings).padStart(2)}  ${bug.bug}`;
}

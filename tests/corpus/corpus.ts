/**
 * Measures how right the verdicts of a lab are, on correct applications and APIs of many libraries,
 * and on an application and an API by hand with one mistake at a time.
 *
 *   deno task corpus [--today | --day NUMBER] [--held-out] [--only applications,apis,by-hand,bugs]
 *     [--verbose] [WORD …]
 *
 * Libraries are installed into a cache outside of the project. What a lab finds about the
 * documented set-up of a library is about somebody else's work: it goes to a file that is not
 * committed, and is not printed.
 */
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { casesOfToday } from "../support/turn.ts";
import { applications } from "./applications.ts";
import { applicationBugs, configurations } from "./bugs.ts";
import { describeBug, summarizeBugs } from "./harness/bug_table.ts";
import { isAvailable } from "./harness/installations.ts";
import { findBug, isGood, isNamed, judge, type Judged, type NamedBug } from "./harness/judge.ts";
import { measureApplication } from "./harness/measure_application.ts";
import { type Measured, measureSite } from "./harness/measure_site.ts";
import limits from "./limits.json" with { type: "json" };

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    today: { type: "boolean", default: false },
    day: { type: "string" },
    "held-out": { type: "boolean", default: false },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const day = values.day ?? (values.today ? Math.floor(Date.now() / (24 * 60 * 60_000)) : NaN);
const parts = values.only?.split(",");

/** Where findings about libraries go. */
const findingsFile = ".build/corpus/findings.json";

/** One correct application, as measured. */
interface Row extends Judged {
  name: string;
  measured: Measured;
}

const problems: string[] = [];

async function main(): Promise<void> {
  const rows = [
    ...isWanted("by-hand") ? await measureByHand() : [],
    ...isWanted("applications") ? await measureApplications() : [],
  ];
  if (rows.length > 0) await summarizeRows(rows);
  if (isWanted("bugs")) await measureBugs();
  if (problems.length === 0) return;
  console.log(`\nBelow the limits:\n${problems.map((each) => `  - ${each}`).join("\n")}`);
  process.exitCode = 1;
}

function isWanted(part: string): boolean {
  return parts?.includes(part) ?? true;
}

/** Returns what is to be measured: what the words select, or what has its turn. */
function chosen<T>(all: readonly T[], nameOf: (each: T) => string, count: number): T[] {
  if (words.length > 0) {
    return all.filter((each) => words.some((word) => nameOf(each).includes(word)));
  }
  return casesOfToday(all, count, Number(day));
}

async function measureByHand(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, configuration] of chosen(Object.entries(configurations), ([name]) => name, 2)) {
    const measured = await measureSite({ configuration });
    rows.push(rowOf(name, measured, [""]));
  }
  return rows;
}

async function measureApplications(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const entry of chosen(applications, ({ name }) => name, 1)) {
    if (!await isAvailable(entry.toolchain)) {
      console.log(`skipped: ${entry.name} (this machine has no '${entry.toolchain.probe[0]}')`);
      continue;
    }
    try {
      rows.push(
        rowOf(`${entry.name} ${entry.version}`, await measureApplication(entry), entry.keeps),
      );
    } catch (cause) {
      problems.push(`${entry.name} cannot be measured: ${String(cause)}`);
    }
  }
  return rows;
}

function rowOf(name: string, measured: Measured, keeps: readonly string[]): Row {
  const { report, full, prefilled } = measured;
  const row = {
    name,
    measured,
    ...judge([...full.findings, ...prefilled.findings, ...report], keeps),
  };
  const verdict = full.problem ? "–" : full.grade ?? "?";
  const page = prefilled.problem ? "–" : prefilled.grade ?? "?";
  const wrong = row.wrong.map(({ id }) => id).join(", ");
  console.log(
    `${verdict} ${page}  ${full.seconds.toFixed(1).padStart(5)} s  ${name}${wrong && `: ${wrong}`}`,
  );
  for (const problem of [full.problem, prefilled.problem]) {
    if (problem !== undefined && values.verbose) console.log(`      ${problem.slice(0, 200)}`);
  }
  return row;
}

async function summarizeRows(rows: readonly Row[]): Promise<void> {
  const wrong = rows.flatMap((row) => row.wrong);
  const unjudged = rows.flatMap((row) => row.unjudged);
  const good = (which: "full" | "prefilled") =>
    rows.filter(({ measured }) => isGood(measured[which])).length;
  console.log(`
Correct, A or B with all URLs given              ${good("full")} of ${rows.length}
Correct, A or B as the page prefills it          ${good("prefilled")} of ${rows.length}
Violations that are wrong, of all                ${wrong.length} of ${
    wrong.length + unjudged.length
  }
Correct without a wrong violation                ${
    rows.filter((row) => row.wrong.length === 0).length
  } of ${rows.length}
`);
  await writeFindings(rows);
  if (wrong.length > limits.wrongViolations) {
    problems.push(`${wrong.length} wrong violations, and at most ${limits.wrongViolations}`);
  }
}

/** What is found about a library is for the eyes of those who can judge it. */
async function writeFindings(rows: readonly Row[]): Promise<void> {
  const found = rows.filter(({ unjudged }) => unjudged.length > 0);
  if (found.length === 0) return;
  await mkdir(".build/corpus", { recursive: true });
  const listed = found.map(({ name, unjudged }) => ({ name, findings: unjudged }));
  await writeFile(findingsFile, `${JSON.stringify(listed, null, 2)}\n`);
  console.log(`What nobody has judged is in ${findingsFile}; do not publish it.\n`);
}

async function measureBugs(): Promise<void> {
  const bugs: NamedBug[] = [];
  for (const bug of chosen(applicationBugs, ({ bug }) => bug, 6)) {
    const found = findBug(bug, await measureSite(bug));
    bugs.push(found);
    if (values.verbose || !isNamed(found)) console.log(describeBug(found));
  }
  console.log();
  summarizeBugs(bugs, "Bugs of an application");
  const known: readonly string[] = limits.unnamed;
  for (const found of bugs.filter((each) => !isNamed(each))) {
    if (!known.includes(found.bug.bug)) problems.push(`not named: ${found.bug.bug}`);
  }
}

await main();
process.exit();

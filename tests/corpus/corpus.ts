/**
 * Measures how right the verdicts of a lab are, on correct applications and APIs of many libraries,
 * and on an application and an API by hand with one mistake at a time.
 *
 *   deno task corpus [--today | --day NUMBER] [--only PART,…] [--held-out | --steady] [--verbose]
 *     [WORD …]
 *
 * The parts are `by-hand`, `applications`, `apis`, `bugs` and `steady`. A WORD selects what has it in
 * its name. With `--steady`, this part alone: the application by hand, with a bug and without, must get
 * the same verdict again, on a busy machine, and where it or the lab has a tenth of a processor.
 * With `--today`, a part of all has its turn. Libraries are installed into a cache outside of the
 * project. What a lab finds about the documented set-up of a library is about somebody else's work:
 * it goes to files that are not committed, and is not printed.
 */
import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { casesOfToday } from "../support/turn.ts";
import { apis } from "./apis.ts";
import { applications } from "./applications.ts";
import { apiBugs } from "./broken/api_bugs.ts";
import type { Bug } from "./broken/bug.ts";
import type { SitePlan } from "./broken/open_site.ts";
import { apiConfigurations, applicationBugs, configurations, ofHistory } from "./bugs.ts";
import type { Entry, Expected } from "./entry.ts";
import { describeBug, measureNames } from "./harness/bug_table.ts";
import { isAvailable, RegistryOutage } from "./harness/installations.ts";
import { findBug, isGood, isNamed, judge, type Judged, type NamedBug } from "./harness/judge.ts";
import { drillApi, measureApi } from "./harness/measure_api.ts";
import { measureApplication } from "./harness/measure_application.ts";
import { drillAfterEach, histories, type Measured, measureSite } from "./harness/measure_site.ts";
import { drillHindered, type Hindrance, hindrances, unsteadyIn } from "./harness/measure_steady.ts";
import { Measures } from "./harness/measures.ts";
import { heldOutApiBugs } from "./held_out/api_bugs.ts";
import { heldOutApplicationBugs } from "./held_out/application_bugs.ts";
import { idsOf } from "./kept.ts";
import limits from "./limits.json" with { type: "json" };

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    today: { type: "boolean", default: false },
    day: { type: "string" },
    "held-out": { type: "boolean", default: false },
    steady: { type: "boolean", default: false },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const today = Math.floor(Date.now() / (24 * 60 * 60_000));
const day = Number(values.day ?? (values.today ? today : NaN));
const parts = values.steady ? ["steady"] : values.only?.split(",");

/** Where findings about libraries go: what is not known to be wrong, and all. */
const findingsFile = ".build/corpus/findings.json";
const measuredFile = ".build/corpus/measured.json";

/** Something correct, as measured. */
interface Row extends Judged {
  name: string;
  expected: Expected;
  measured: Measured;
}

const problems: string[] = [];
const measures = new Measures();

/** Whether everything is measured, so that the limits of all numbers hold. */
const isWhole = words.length === 0 && Number.isNaN(day) && parts === undefined;

async function main(): Promise<void> {
  if (values["held-out"]) await measureHeldOut();
  else await measureAll();
  if (problems.length === 0) return;
  console.log(`\nBeyond the limits:\n${problems.map((each) => `  - ${each}`).join("\n")}`);
  process.exitCode = 1;
}

async function measureAll(): Promise<void> {
  const siteRows = [
    ...isWanted("by-hand") ? await measureSites() : [],
    ...isWanted("applications") ? await measureEntries(applications, measureApplication) : [],
  ];
  summarizeRows(siteRows, "applications");
  if (isWanted("by-hand")) await compareHistories();
  const apiRows = [
    ...isWanted("by-hand") ? await measureApis() : [],
    ...isWanted("apis")
      ? await measureEntries(apis, async (each) => ({ full: await measureApi(each) }))
      : [],
  ];
  summarizeRows(apiRows, "APIs");
  await writeFindings([...siteRows, ...apiRows]);
  if (isWanted("bugs")) {
    const ofApplication = chosen(applicationBugs, bugName, 4);
    const found = [
      ...await measureBugs("an application", ofApplication, measureSite),
      ...await measureBugs("an API", chosen(apiBugs, bugName, 8), measureApiBug),
    ];
    const known: readonly string[] = limits.unnamed;
    for (const { bug: { bug } } of found.filter((each) => !isNamed(each))) {
      if (!known.includes(bug)) problems.push(`not named: ${bug}`);
    }
  }
  if (isWanted("steady")) await measureSteadiness();
  if (isWhole) problems.push(...measures.problems(limits));
}

/** What is held out is measured by its number: a list of what is not named would be read. */
async function measureHeldOut(): Promise<void> {
  await measureBugs("an application, held out", heldOutApplicationBugs, measureSite);
  await measureBugs("an API, held out", heldOutApiBugs, measureApiBug);
  problems.push(...measures.problems(limits.heldOut));
}

/** The same application gets the same verdict, however slow it or the lab is. */
async function measureSteadiness(): Promise<void> {
  const isMeant = ({ bug }: Bug) =>
    words.length > 0 ? words.some((word) => bug.includes(word)) : bug === steadyBug;
  const names = casesOfToday(Object.keys(hindrances) as Hindrance[], 1, day);
  await Promise.all([undefined, ...applicationBugs.filter(isMeant)].map(async (bug) => {
    const name = bug?.bug ?? "by hand";
    const { idle, hindered } = await drillHindered(bug, names);
    for (const [how, drilled] of [["undisturbed", idle], ...hindered] as const) {
      const { grade = "–", seconds } = drilled;
      console.log(`${grade.padEnd(4)} ${seconds.toFixed(1).padStart(5)} s  ${name}, ${how}`);
      for (const what of unsteadyIn(idle, drilled)) problems.push(`${name}, ${how}: ${what}`);
    }
  }));
}

/** A mistake that a drill finds at any pace. */
const steadyBug = "an expired ID token passes";

async function measureApiBug(bug: typeof apiBugs[number]): Promise<Measured> {
  return { full: await drillApi(bug) };
}

function isWanted(part: string): boolean {
  return parts?.includes(part) ?? true;
}

function bugName({ bug }: Bug): string {
  return bug;
}

/** Returns what is to be measured: what the words select, or what has its turn. */
function chosen<T>(all: readonly T[], nameOf: (each: T) => string, count: number): T[] {
  if (words.length === 0) return casesOfToday(all, count, day);
  return all.filter((each) => words.some((word) => nameOf(each).includes(word)));
}

async function measureSites(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, configuration] of chosen(Object.entries(configurations), ([name]) => name, 1)) {
    rows.push(rowOf({ name, ...byHand }, await measureSite({ configuration })));
  }
  return rows;
}

async function measureApis(): Promise<Row[]> {
  const rows: Row[] = [];
  const all = Object.entries(apiConfigurations);
  for (const [name, configuration] of chosen(all, ([name]) => name, 1)) {
    rows.push(rowOf({ name, ...byHand }, { full: await drillApi({ configuration }) }));
  }
  return rows;
}

/** Drills what the history of a lab has changed, after each history. */
async function compareHistories(): Promise<void> {
  const plans: Array<[name: string, plan: SitePlan]> = [
    ["TLS instead of signatures", { configuration: { signatures: false } }],
    ...applicationBugs.filter(({ bug }) => ofHistory.includes(bug))
      .map((bug): [string, SitePlan] => [bug.bug, bug]),
  ];
  for (const [name, plan] of chosen(plans, ([name]) => name, 1)) {
    const found = (await drillAfterEach(plan)).map(({ grade, findings }) =>
      [grade, ...findings.map(({ id }) => id)].join(" ")
    );
    const isSame = new Set(found).size === 1;
    if (isSame) continue;
    const told = Object.keys(histories).map((history, at) => `${history}: ${found[at]}`);
    problems.push(`The history of the lab changes the verdict on '${name}': ${told.join("; ")}`);
  }
}

/** What is made by hand keeps every rule. */
const byHand = { expected: ["A", "It makes every check that it must."], kept: [""] } as const;

async function measureEntries<T extends Entry>(
  entries: readonly T[],
  measure: (entry: T) => Promise<Measured>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const all = entries.filter(({ toolchain }) => Number.isNaN(day) || !toolchain.isSlow);
  for (const entry of chosen(all, ({ name }) => name, 1)) {
    if (!await isAvailable(entry.toolchain)) {
      console.log(`skipped: ${entry.name}, which this machine cannot run`);
      continue;
    }
    try {
      const { version, expected, keeps } = entry;
      const name = `${entry.name} ${version}`;
      rows.push(rowOf({ name, expected, kept: idsOf(keeps) }, await measure(entry)));
    } catch (cause) {
      if (cause instanceof RegistryOutage) {
        console.log(`skipped: ${entry.name}, as a registry cannot be reached`);
        continue;
      }
      problems.push(`${entry.name} cannot be measured: ${String(cause).slice(0, 600)}`);
      console.log(`-     failed  ${entry.name}`);
    }
  }
  return rows;
}

function rowOf(
  { name, expected, kept }: { name: string; expected: Expected; kept: readonly string[] },
  measured: Measured,
): Row {
  const { report = [], full, prefilled } = measured;
  const all = [...full.findings, ...prefilled?.findings ?? [], ...report];
  const row = { name, expected, measured, ...judge(all, kept) };
  const grades = [full, prefilled].flatMap((each) => each ? [each.problem ? "–" : each.grade] : []);
  const seconds = `${full.seconds.toFixed(1).padStart(5)} s`;
  const [grade, because] = expected;
  const notes = row.wrong.map(({ id }) => id);
  if (isAccused(row)) problems.push(`${name} is worse than ${grade}: ${because}`);
  if (!isExpected(row)) notes.unshift(`expected ${grade}: ${because}`);
  const noted = notes.length > 0 ? `: ${notes.join(", ")}` : "";
  console.log(`${grades.join(" ").padEnd(4)} ${seconds}  ${name}${noted}`);
  if (values.verbose) {
    for (const { problem } of [full, prefilled ?? full]) {
      if (problem) console.log(`      ${problem}`);
    }
  }
  return row;
}

/** Whether a drill says of something correct that it has a violation which it has not. */
function isAccused({ expected: [expected], measured }: Row): boolean {
  return [measured.full, measured.prefilled].some((drilled) => {
    const { grade = "A" } = drilled ?? {};
    return /[CDF]/.test(grade) && grade > expected;
  });
}

/** Whether a drill gives the grade that it must. */
function isExpected({ expected: [grade], measured: { full } }: Row): boolean {
  return full.problem === undefined && full.grade === grade;
}

function summarizeRows(rows: readonly Row[], what: string): void {
  if (rows.length === 0) return;
  const wrong = rows.flatMap((row) => row.wrong).length;
  const unjudged = rows.flatMap((row) => row.unjudged).length;
  const without = rows.filter((row) => row.wrong.length === 0).length;
  console.log();
  measures.add(`correct ${what} with their grade`, rows.filter(isExpected).length, rows.length);
  if (what === "applications") {
    const good = rows.filter(({ measured: { prefilled } }) => prefilled && isGood(prefilled));
    measures.add("correct applications with A or B, prefilled", good.length, rows.length);
  }
  measures.add(`correct ${what} without a wrong violation`, without, rows.length);
  measures.add(`wrong violations of correct ${what}`, wrong, wrong + unjudged);
  measures.add(`other violations of correct ${what}`, unjudged, wrong + unjudged);
  console.log();
  // A part of a run has to keep what the whole does.
  const { [`wrong violations of correct ${what}`]: limit = 0 }: Record<string, number> =
    limits.atMost;
  if (!isWhole && wrong > limit) problems.push(`${wrong} wrong violations, and at most ${limit}`);
}

/** What is found about a library is for the eyes of those who can judge it. */
async function writeFindings(rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await mkdir(".build/corpus", { recursive: true });
  await writeFile(measuredFile, `${JSON.stringify(rows, null, 2)}\n`);
  const found = rows.filter(({ unjudged }) => unjudged.length > 0);
  if (found.length === 0) return;
  const listed = found.map(({ name, unjudged }) => ({ name, findings: unjudged }));
  await writeFile(findingsFile, `${JSON.stringify(listed, null, 2)}\n`);
  console.log(`What is not known to be wrong is in ${findingsFile}. Do not publish it.\n`);
}

async function measureBugs<T extends Bug>(
  what: string,
  bugs: readonly T[],
  measure: (bug: T) => Promise<Measured>,
): Promise<NamedBug[]> {
  const found: NamedBug[] = [];
  if (bugs.length === 0) return found;
  const isShown = (each: NamedBug) => values.verbose || !isNamed(each) && !values["held-out"];
  for (const bug of bugs) {
    const each = findBug(bug, await measure(bug));
    found.push(each);
    if (isShown(each)) console.log(describeBug(each));
  }
  measureNames(found, what, measures);
  return found;
}

await main();
process.exit();

import { drillToJunit } from "../../../lab/features/drill/drill_junit.ts";
import {
  describeDrill,
  type DrillProgress,
  hasResult,
} from "../../../lab/features/drill/drill_result.ts";
import type { DrillOutcome } from "../../../lab/features/drill/variants/drill_outcome.ts";
import { missingIn } from "../../../lab/features/verdicts/parts.ts";
import { listUnmet } from "../../../lab/features/verdicts/required.ts";
import { type Finding, findingToText } from "../../../lab/findings/finding.ts";
import { whyNoGrade } from "../../../lab/findings/verdict.ts";
import { LabError } from "../../../lab/util/lab_error.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { createDeferred } from "../../../server/util/time/promises.ts";
import { type Invocation, operandOf } from "../../command_line/command.ts";
import { askLab, refusalIn } from "../../lab_client/running_lab.ts";
import { failure, interrupted } from "../../terminal/exit_code.ts";
import { printableLines } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { reportDrill } from "./build_policy.ts";
import { drillWithLab } from "./drill_lab.ts";

/** How long to wait before asking again how far the drill is, in milliseconds. */
const interval = 250;

/** Drills an application, prints what was found, and returns the exit code. */
export async function runAppDrillCommand(
  invocation: Invocation,
  terminal: Terminal,
  members: object,
): Promise<number> {
  try {
    return await drillWithLab(invocation, terminal, (asked) => drill(asked, terminal, members));
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    terminal.printError(printableLines(cause.message));
    return failure;
  }
}

/** Runs the drill in the lab. If the user interrupts it, what it found so far is the result. */
async function drill(asked: Invocation, terminal: Terminal, members: object): Promise<number> {
  const printed = createDeferred<void>();
  let isInterrupted = false;
  terminal.onStop(async () => {
    isInterrupted = true;
    await askLab(asked, "/drill", undefined, { method: "DELETE" });
    await printed.promise;
    return interrupted;
  });
  try {
    const progress = await follow(asked, await begin(asked, members), terminal);
    const unmet = progress.outcomes.filter(({ outcome }) => outcome === "unmet");
    if (unmet.length > 0) {
      const lines = [`Not met (${unmet.length})`, ...listUnmet(unmet)];
      terminal.printError(printableLines(lines.join("\n")));
    }
    const code = await reportDrill(asked, terminal, progress, {
      missing: missingIn(progress, "application", asked.values.get("require")),
      isComplete: progress.state === "finished",
      toText: (fails) => resultToText(progress, fails),
      toJunit: (missing, fails) => drillToJunit(progress, missing, fails),
    });
    if (isInterrupted) return interrupted;
    return progress.state === "finished" ? code : failure;
  } finally {
    printed.resolve();
  }
}

async function begin(asked: Invocation, members: object): Promise<DrillProgress> {
  const run = {
    start: operandOf(asked, "URL"),
    ...members,
    only: asked.values.get("only"),
    wait: false,
  };
  return readProgress(await askLab(asked, "/drill", run));
}

/** Asks how far the drill is until it has ended, and prints a line for each login. */
async function follow(
  asked: Invocation,
  first: DrillProgress,
  { printError }: Terminal,
): Promise<DrillProgress> {
  let progress = first;
  let shown = 0;
  printError(`First without a fault, then ${counted(first.total, "login")} with one each.`);
  while (true) {
    for (const outcome of progress.outcomes.slice(shown)) {
      shown++;
      const text = outcomeToText(outcome);
      if (text !== undefined) printError(printableLines(`${shown}/${progress.total} ${text}`));
    }
    if (progress.state !== "running") return progress;
    await new Promise((resolve) => setTimeout(resolve, interval));
    progress = readProgress(await askLab(asked, "/drill"));
  }
}

function readProgress(body: unknown): DrillProgress {
  if (isObject(body) && Array.isArray(body.outcomes)) return body as unknown as DrillProgress;
  throw new LabError(refusalIn(body));
}

/** Describes an outcome on one line; undefined if it was not met, of which the end has a list. */
function outcomeToText(
  { fault, outcome, expectation, grade }: DrillOutcome,
): string | undefined {
  if (outcome === "unmet") return undefined;
  if (expectation !== "either") {
    return `${fault}: ${texts[outcome]}${grade ? ` (${grade})` : ""}`;
  }
  return `${fault}: ${outcome === "tolerated" ? "accepted" : outcome} (optional)`;
}

const texts: Readonly<Record<Exclude<DrillOutcome["outcome"], "unmet">, string>> = {
  accepted: "accepted",
  refused: "refused",
  tolerated: "accepted, as a valid login should be",
  wrongly_refused: "wrongly refused",
};

/** Formats the result for a terminal: the worst first, as on the page, and the verdict last. */
function resultToText(
  progress: DrillProgress,
  fails: (finding: Finding) => boolean,
): string {
  const { findings, problem } = progress;
  return [
    ...findings.flatMap((finding) => [findingToText(finding, fails), ""]),
    ...hasResult(progress)
      ? [
        ...progress.verdict.notes.map(({ text }) => text),
        describeDrill(progress),
        ...[whyNoGrade(progress.verdict) ?? []].flat(),
      ]
      : [],
    ...problem === undefined ? [] : [problem],
  ].join("\n");
}

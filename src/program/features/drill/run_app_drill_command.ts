import { drillToJunit } from "../../../lab/features/drill/drill_junit.ts";
import {
  describeDrill,
  type DrillProgress,
  hasResult,
} from "../../../lab/features/drill/drill_result.ts";
import { loadDrill } from "../../../lab/features/drill/drills.ts";
import type { DrillName } from "../../../lab/features/drill/select_tries.ts";
import type { DrillOutcome } from "../../../lab/features/drill/variants/drill_outcome.ts";
import { missingIn } from "../../../lab/features/verdicts/parts.ts";
import { listUnmet } from "../../../lab/features/verdicts/required.ts";
import { type Finding, findingToText } from "../../../lab/findings/finding.ts";
import { whyNoGrade } from "../../../lab/findings/verdict.ts";
import type { Lab } from "../../../lab/lab.ts";
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
import { openBrowser, type OpenedBrowser } from "./open_browser.ts";

/** How long to wait before asking again how far the drill is, in milliseconds. */
const interval = 250;

/** A drill in a browser, and the lab of this process that runs it. */
interface RealDrill {
  opened: OpenedBrowser;
  lab: Lab;
}

/** Drills an application, prints what was found, and returns the exit code. */
export async function runAppDrillCommand(
  invocation: Invocation,
  terminal: Terminal,
  members: object,
): Promise<number> {
  const opened = invocation.values.has("browser") ? await openBrowser(terminal) : undefined;
  try {
    return await drillWithLab(
      invocation,
      terminal,
      (asked, lab) => drill(asked, terminal, members, opened && lab && { opened, lab }),
    );
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    terminal.printError(printableLines(cause.message));
    return failure;
  } finally {
    await opened?.close();
  }
}

/** Runs the drill in the lab. If the user interrupts it, what it found so far is the result. */
async function drill(
  asked: Invocation,
  terminal: Terminal,
  members: object,
  real?: RealDrill,
): Promise<number> {
  const printed = createDeferred<void>();
  let isInterrupted = false;
  terminal.onStop(async () => {
    isInterrupted = true;
    await askLab(asked, "/drill", undefined, { method: "DELETE" });
    await printed.promise;
    return interrupted;
  });
  try {
    const start = performance.now();
    const progress = await follow(asked, await begin(asked, members, real), terminal);
    if (real) terminal.printError(describeSpeed(real.lab, performance.now() - start));
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
    // After a signal, the process ends once the result is printed.
    await real?.opened.close();
    printed.resolve();
  }
}

async function begin(
  asked: Invocation,
  members: { mcp?: boolean },
  real: RealDrill | undefined,
): Promise<DrillProgress> {
  const start = operandOf(asked, "URL");
  const only = asked.values.get("only");
  if (!real) {
    return readProgress(await askLab(asked, "/drill", { start, ...members, only, wait: false }));
  }
  // Only this command drills in this browser.
  const { lab, opened: { browser } } = real;
  const { mcp, ...application } = members;
  await loadDrill();
  const run = (mcp ? lab.drillMcp : lab.drill)(
    { start, ...application, browser },
    only as DrillName[] | undefined,
  );
  run.catch(() => {});
  const progress = readProgress(await askLab(asked, "/drill"));
  // A drill that cannot begin rejects, and has no progress.
  if (progress.state === "none") await run;
  return progress;
}

/** Describes how long a login took, with the pages of the application. */
function describeSpeed(lab: Lab, milliseconds: number): string {
  const logins = lab.flows().length;
  return `${counted(logins, "login")} in the browser, ${
    Math.round(milliseconds / Math.max(1, logins))
  } ms each.`;
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

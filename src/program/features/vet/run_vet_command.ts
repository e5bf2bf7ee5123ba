import type { FaultName } from "../../../lab/features/faults/catalogue.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { counted, parseDuration } from "../../../server/util/time/duration.ts";
import { createDeferred } from "../../../server/util/time/promises.ts";
import {
  type ChildLabs,
  type LabTarget,
  namesLab,
  planChildLabs,
} from "../../child_command/child_lab.ts";
import { checkMayStart, checkVariables } from "../../child_command/start_child.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import {
  failure,
  interrupted,
  noTraffic,
  notStarted,
  runsDiffer,
  success,
  suiteFails,
  UsageError,
} from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { vetResultOf } from "./result/vet_result.ts";
import { decideVet } from "./result/vet_verdict.ts";
import { runVet, type VetOptions, type VetProgress } from "./runs/run_vet.ts";
import { VetError, type VetProblem } from "./runs/suite_runner.ts";
import { selectVetVariants } from "./runs/vet_variants.ts";
import { createSuiteRunner } from "./suite_command.ts";
import { formatIntroduction, readGivenBaseline, reportResult } from "./vet_output.ts";
import { createProgressDisplay } from "./vet_progress.ts";

const exitCodes: Readonly<Record<VetProblem, number>> = {
  suite_fails: suiteFails,
  no_traffic: noTraffic,
  runs_differ: runsDiffer,
  not_started: notStarted,
  stopped: interrupted,
};

/** Runs a suite under each variant, prints what its tests notice, and returns the exit code. */
export async function runVetCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  checkMayStart("vet");
  const labs = await planChildLabs(invocation, terminal);
  checkVetOptions(invocation, labs);
  const baseline = await readGivenBaseline(invocation);
  const { signal, finish } = stopWith(terminal);
  const options = vetOptionsOf(invocation, terminal, {
    open: (probe, job) => labs.open({ probe, job }),
    signal,
  });
  introduce(invocation, terminal);
  let latest: VetProgress | undefined;
  const onProgress = (progress: VetProgress) => {
    latest = progress;
    options.onProgress?.(progress);
  };
  try {
    const result = await runVet({ ...options, onProgress });
    const verdict = decideVet(result, { failUnder: parsePercentage(invocation), baseline });
    await reportResult(invocation, terminal, result, verdict);
    return verdict.passed ? success : failure;
  } catch (cause) {
    if (!(cause instanceof VetError)) throw cause;
    if (cause.problem === "stopped" && latest) await reportPart(invocation, terminal, latest);
    return explain(cause, terminal);
  } finally {
    finish();
  }
}

/** Checks the options that only make sense together. */
function checkVetOptions(invocation: Invocation, labs: ChildLabs): void {
  checkVariables(invocation);
  checkReachable(invocation);
  checkJobs(invocation, labs);
  try {
    selectVetVariants(invocation.values.get("only") as readonly FaultName[] | undefined);
  } catch (cause) {
    throw new UsageError(messageOf(cause));
  }
}

/** A suite that cannot know where the lab is would never reach it. */
function checkReachable({ values, childCommand = [] }: Invocation): void {
  const texts = [...values.get("env") ?? [], ...childCommand];
  if (values.has("port") || texts.some(namesLab)) return;
  throw new UsageError(
    "Your tests need to know where the lab is. " +
      "Write --env ISSUER={issuer} with the variable that they read, or --port 9000 for a fixed " +
      "port.",
  );
}

function checkJobs(invocation: Invocation, { issuer }: ChildLabs): void {
  if (issuer === undefined || Number(valueOf(invocation, "jobs") ?? 1) === 1) return;
  throw new UsageError("--jobs needs labs with an issuer each: remove the issuer.");
}

/** Aborts when the user interrupts the program, which then waits for all processes to end. */
function stopWith(terminal: Terminal): { signal: AbortSignal; finish: () => void } {
  const stop = new AbortController();
  const finished = createDeferred<void>();
  terminal.onStop(async () => {
    stop.abort(new VetError("stopped", "Stopped."));
    await finished.promise;
    return interrupted;
  });
  return { signal: stop.signal, finish: () => finished.resolve() };
}

/** Prints what is going to happen: to standard error if the output is a result in JSON. */
function introduce(
  { childCommand = [], values }: Invocation,
  { print, printError }: Terminal,
): void {
  const introduction = formatIntroduction(childCommand);
  if (values.has("json")) printError(introduction);
  else print(introduction);
}

function vetOptionsOf(
  invocation: Invocation,
  terminal: Terminal,
  { open, signal }: Pick<VetOptions<LabTarget>, "open" | "signal">,
): VetOptions<LabTarget> {
  const timeout = parseDuration(valueOf(invocation, "timeout"));
  const jobs = Number(valueOf(invocation, "jobs") ?? 1);
  const display = createProgressDisplay(terminal, jobs, invocation.values.has("json"));
  return {
    open,
    suite: createSuiteRunner({
      words: invocation.childCommand ?? [],
      variables: invocation.values.get("env") ?? [],
      environment: terminal.environment,
    }),
    only: invocation.values.get("only") as readonly FaultName[] | undefined,
    jobs,
    timeout: timeout === undefined ? undefined : timeout * 1000,
    signal,
    onProgress: display.show,
  };
}

/** Prints what the runs before an interruption showed. It is no result to compare with. */
async function reportPart(
  { values, ...invocation }: Invocation,
  terminal: Terminal,
  { plain, outcomes }: VetProgress,
): Promise<void> {
  const result = vetResultOf(plain, outcomes);
  const runs = `${outcomes.length} of ${counted(plain.met.length, "run")}`;
  const problems = [`Interrupted after ${runs}: the rest is not known.`];
  const verdict = { ...decideVet(result, {}), passed: false, problems };
  const shown = new Map([...values].filter(([name]) => name !== "write-baseline"));
  await reportResult({ ...invocation, values: shown }, terminal, result, verdict);
}

function parsePercentage(invocation: Invocation): number | undefined {
  const text = valueOf(invocation, "fail-under");
  return text === undefined ? undefined : parseInt(text);
}

/** Prints why a suite cannot be vetted, and what it printed. */
function explain({ problem, message, run }: VetError, { printError }: Terminal): number {
  if (run?.output && problem !== "no_traffic") {
    printError(`The suite's last lines, without what looks like a credential:\n\n${run.output}\n`);
  }
  const advice = problem === "no_traffic"
    ? " --env NAME={issuer} and --port say where it is. " +
      "A lab that the suite itself starts is another one."
    : "";
  printError(`${message}${advice}`);
  return exitCodes[problem];
}

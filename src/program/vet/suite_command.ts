import type { RunConditions, SuiteRun, SuiteRunner } from "../../lab/vet/suite_runner.ts";
import { VetError } from "../../lab/vet/vet_error.ts";
import { hasErrorCode, messageOf } from "../../server/util/text/error_message.ts";
import type { Environment } from "../terminal/terminal.ts";
import { outputExcerpt } from "./output_excerpt.ts";
import { startCommand, type StartedCommand } from "./processes/child_process.ts";
import { endLeftovers, endTree, endWithThisProcess } from "./processes/process_tree.ts";
import { suiteEnvironment } from "./suite_environment.ts";
import { fillIn, type SuiteTarget } from "./suite_target.ts";
import { type FileTemplate, writeFiles } from "./written_files.ts";

/** A command that runs a suite, and how it learns where the lab is. */
export interface SuiteCommand {
  /** The program and its arguments. */
  words: readonly string[];
  /** Variables for its environment: `NAME=VALUE`. */
  variables: readonly string[];
  files: readonly FileTemplate[];
  /** Our own environment. */
  environment: Environment;
  /** Returns the names of the failed tests, as the suite reported them. */
  readFailedTests?(standardOutput: string, since: number, target: SuiteTarget): Promise<
    readonly string[] | undefined
  >;
}

/** How a command ended. */
type CommandEnd = Pick<SuiteRun, "passed" | "ended">;

/** Creates the runner of a suite that is a command. */
export function createSuiteRunner(suite: SuiteCommand): SuiteRunner<SuiteTarget> {
  let isFirst = true;
  return {
    async run(target, conditions) {
      const removeFiles = await writeFiles(suite.files, target);
      try {
        const finished = await runCommand(suite, target, conditions);
        const failedTests = await namesOf(suite, finished, isFirst);
        isFirst = false;
        return { ...finished.run, failedTests };
      } finally {
        await removeFiles();
      }
    },
  };
}

/** A run that has ended, with what its report is found by. */
interface FinishedRun {
  run: SuiteRun;
  standardOutput: string;
  target: SuiteTarget;
  /** When it began, in milliseconds. */
  since: number;
}

/** A report that a run has not finished is no problem. That of the first run must be there. */
async function namesOf(
  { readFailedTests }: SuiteCommand,
  { run, standardOutput, since, target }: FinishedRun,
  isFirst: boolean,
): Promise<SuiteRun["failedTests"]> {
  if (run.passed && !isFirst) return undefined;
  try {
    return await readFailedTests?.(standardOutput, since, target);
  } catch (cause) {
    if (isFirst) throw cause;
    return undefined;
  }
}

async function runCommand(
  suite: SuiteCommand,
  target: SuiteTarget,
  conditions: RunConditions,
): Promise<FinishedRun> {
  const since = Date.now();
  const began = performance.now();
  const command = await start(suite, target);
  const forget = endWithThisProcess(command);
  const end = await waitForEnd(command, conditions).finally(forget);
  const milliseconds = Math.round(performance.now() - began);
  const run = { ...end, milliseconds, output: outputExcerpt(command.output()) };
  return { run, standardOutput: command.standardOutput(), target, since };
}

async function start(
  { words, variables, environment }: SuiteCommand,
  target: SuiteTarget,
): Promise<StartedCommand> {
  const filled = words.map((word) => fillIn(word, target));
  try {
    return await startCommand(filled, suiteEnvironment(environment, variables, target));
  } catch (cause) {
    throw new VetError("not_started", startProblem(filled[0] ?? "", cause));
  }
}

function startProblem(program: string, cause: unknown): string {
  const isMissing = hasErrorCode(cause, "ENOENT") ||
    /not found|no such file/i.test(messageOf(cause));
  const why = isMissing ? "there is no such program" : messageOf(cause);
  return `The command '${program}' cannot be started: ${why}. It is started without a shell: for ` +
    "a script of npm write 'npm test', for what only a shell understands sh -c '…'.";
}

/** Waits until a command has ended, and makes it end if it must. */
async function waitForEnd(
  command: StartedCommand,
  { signal, timeout }: RunConditions,
): Promise<CommandEnd> {
  let ended: SuiteRun["ended"];
  let ending: Promise<void> | undefined;
  const end = () => void (ending ??= endTree(command));
  const timer = timeout === undefined ? undefined : setTimeout(() => {
    ended = "timeout";
    end();
  }, timeout);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const code = await command.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
  await ending;
  await endLeftovers(command);
  if (code === null) ended ??= "killed";
  return { passed: code === 0 && ended === undefined, ended };
}

import { hasErrorCode, messageOf } from "../../../server/util/text/error_message.ts";
import { startCommand, type StartedCommand } from "../../processes/child_process.ts";
import { endLeftovers, endTree, endWithThisProcess } from "../../processes/process_tree.ts";
import type { Environment } from "../../terminal/terminal.ts";
import { outputExcerpt } from "./output_excerpt.ts";
import type { RunConditions, SuiteRun, SuiteRunner } from "./runs/suite_runner.ts";
import { VetError } from "./runs/vet_error.ts";
import { suiteEnvironment } from "./suite_environment.ts";
import { fillIn, type SuiteTarget } from "./suite_target.ts";

/** A command that runs a suite, and how it learns where the lab is. */
export interface SuiteCommand {
  /** The program and its arguments. */
  words: readonly string[];
  /** Variables for its environment: `NAME=VALUE`. */
  variables: readonly string[];
  /** Our own environment. */
  environment: Environment;
}

/** How a command ended. */
type CommandEnd = Pick<SuiteRun, "passed" | "ended">;

/** Creates the runner of a suite that is a command. */
export function createSuiteRunner(suite: SuiteCommand): SuiteRunner<SuiteTarget> {
  return {
    async run(target, conditions) {
      const began = performance.now();
      const command = await start(suite, target);
      const forget = endWithThisProcess(command);
      const end = await waitForEnd(command, conditions).finally(forget);
      const milliseconds = Math.round(performance.now() - began);
      return { ...end, milliseconds, output: outputExcerpt(command.output()) };
    },
  };
}

async function start(
  { words, variables, environment }: SuiteCommand,
  target: SuiteTarget,
): Promise<StartedCommand> {
  const filled = words.map((word) => fillIn(word, target));
  try {
    return await startCommand(filled, await suiteEnvironment(environment, variables, target));
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

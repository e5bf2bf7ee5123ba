import { redactOutput } from "../../../lab/recording/redact.ts";
import type { LabTarget } from "../../child_command/child_lab.ts";
import { type ChildCommand, NotStartedError, startChild } from "../../child_command/start_child.ts";
import type { StartedCommand } from "../../processes/child_process.ts";
import { endLeftovers, endTree, endWithThisProcess } from "../../processes/process_tree.ts";
import { printableLines } from "../../terminal/printable.ts";
import {
  type RunConditions,
  type SuiteRun,
  type SuiteRunner,
  VetError,
} from "./runs/suite_runner.ts";

/** How many lines of the output of a suite are shown. */
const shownLines = 40;
const maxLineLength = 300;
/** How much of a line is read: a credential that begins in what is shown may end behind it. */
const maxReadLength = 20_000;

/** The colors of a terminal. */
// deno-lint-ignore no-control-regex
const colors = /\x1b\[[\d;]*m/g;

export function createSuiteRunner(suite: ChildCommand): SuiteRunner<LabTarget> {
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

/** Returns the last lines of what a suite has printed, without credentials. */
export function outputExcerpt(output: string): string {
  const last = output.replace(colors, "").trimEnd().split("\n").slice(-shownLines)
    .map((line) => line.slice(0, maxReadLength));
  const lines = redactOutput(last.join("\n")).split("\n");
  return printableLines(lines.map((line) => line.slice(0, maxLineLength)).join("\n"));
}

async function start(suite: ChildCommand, target: LabTarget): Promise<StartedCommand> {
  try {
    return await startChild(suite, target, "kept");
  } catch (cause) {
    throw cause instanceof NotStartedError ? new VetError("not_started", cause.message) : cause;
  }
}

/** Waits until a command has ended, and makes it end if it must. */
async function waitForEnd(
  command: StartedCommand,
  { signal, timeout }: RunConditions,
): Promise<Pick<SuiteRun, "passed" | "ended">> {
  let ended: SuiteRun["ended"];
  let ending: Promise<void> | undefined;
  const end = () => void (ending ??= endTree(command));
  const timer = timeout === undefined ? undefined : setTimeout(() => {
    ended = "timeout";
    end();
  }, timeout);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const { code } = await command.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
  await ending;
  await endLeftovers(command);
  if (code === null) ended ??= "killed";
  return { passed: code === 0 && ended === undefined, ended };
}

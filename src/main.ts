import process from "node:process";
import { parseArguments } from "./program/command_line/arguments.ts";
import { help, helpFor } from "./program/command_line/help.ts";
import { commandGroups, commands } from "./program/commands.ts";
import { formatDropped, formatNotice } from "./program/monitoring/log.ts";
import { exitCodeOf } from "./program/terminal/exit_code.ts";
import { explainError } from "./program/terminal/explain_error.ts";
import { checkNodeVersion } from "./program/terminal/node_version.ts";
import { createOutputQueue } from "./program/terminal/output_queue.ts";
import { printableLines } from "./program/terminal/printable.ts";
import {
  inputLines,
  terminalPrompt,
  writeLastOutput,
  writeOutput,
} from "./program/terminal/streams.ts";
import type { Terminal } from "./program/terminal/terminal.ts";
import { version } from "./runtime/version.ts";
import { withTimeout } from "./server/util/time/promises.ts";

/** How long requests in progress may take when the program stops, in milliseconds. */
const stopTimeout = 10_000;
/** How long the last output may take to be read, in milliseconds. */
const flushTimeout = 1_000;

/**
 * How long lines of the log may wait for others, in milliseconds. A terminal shows each at once.
 */
const collectTime = 5;

/** Whether the log is JSON, and with it what is written next to it. */
let writesJson = false;
const output = createOutputQueue(writeOutput, describeDropped, {
  collectTime: process.stdout.isTTY === true ? 0 : collectTime,
});

process.on("exit", () => writeLastOutput(output.takeRest()));

const terminal: Terminal = {
  environment: process.env,
  isInteractive: process.stdout.isTTY === true,
  print: (text) => output.print(printableLines(text)),
  printColored: (text) => output.print(text),
  printError,
  flush: flushOutput,
  log: output.log,
  useJson: () => void (writesJson = true),
  readInput: async () => (await import("node:stream/consumers")).text(process.stdin),
  inputLines,
  get prompt() {
    return terminalPrompt();
  },
  onStop: stopOnSignal,
};

try {
  const code = await main();
  await output.flush();
  process.exitCode = code;
} catch (cause) {
  await flushOutput();
  const code = exitCodeOf(cause);
  printError(describeFailure(explainError(cause, process.argv[2]), code));
  process.exit(code);
}

async function main(): Promise<number | undefined> {
  const parsed = parseArguments(process.argv.slice(2), process.env, commands);
  switch (parsed.kind) {
    case "version":
      terminal.print(`hallpass ${version}`);
      return undefined;
    case "help":
      terminal.print(
        parsed.commands === commands ? help(commandGroups) : helpFor(parsed.commands),
      );
      return undefined;
    case "run":
      checkNodeVersion(parsed.command.name, {
        versions: process.versions,
        script: process.argv[1],
      });
      return await parsed.command.run(parsed.invocation, terminal);
  }
}

/** Describes log lines that were dropped because their reader was too slow. */
function describeDropped(lines: number): string {
  return formatDropped(writesJson ? "json" : "text", lines, new Date());
}

/** Describes the error that ends the program: with a log in JSON, it is JSON too. */
function describeFailure(message: string, exitCode: number): string {
  if (!writesJson) return message;
  return formatNotice("program.failed", "error", { message, exitCode }, new Date());
}

function printError(text: string): void {
  console.error(printableLines(text));
}

/**
 * The first signal lets requests in progress finish, within a time limit; the second ends the
 * process.
 */
function stopOnSignal(stop: () => Promise<number | void>): () => void {
  let stopping = false;
  const end = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(0), stopTimeout);
    const code = await stop();
    await flushOutput();
    process.exit(code ?? 0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  return () => void end();
}

/** Writes the last output. The process ends even if it is not read. */
async function flushOutput(): Promise<void> {
  await withTimeout(flushTimeout, output.flush(), () => new Error("The output was not read."))
    .catch(() => {});
}

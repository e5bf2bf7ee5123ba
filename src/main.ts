import process from "node:process";
import { text } from "node:stream/consumers";
import { parseArguments } from "./cli/arguments.ts";
import type { Terminal } from "./cli/command.ts";
import { commands } from "./cli/commands.ts";
import { help, helpOf } from "./cli/help.ts";
import { formatDropped } from "./cli/log.ts";
import { createOutputQueue } from "./cli/output_queue.ts";
import { printableLines } from "./cli/printable.ts";
import { checkRuntime } from "./cli/runtime_check.ts";
import { writeOut } from "./cli/standard_output.ts";
import { UsageError } from "./cli/usage_error.ts";
import { version } from "./cli/version.ts";
import { ConfigError } from "./config/config_error.ts";
import { messagesOf } from "./util/error_message.ts";
import { withTimeout } from "./util/timeout.ts";

/** For so long what is in flight may take to finish, in milliseconds. */
const stopTimeout = 10_000;
/** How long the last of the output may take to be read, in milliseconds. */
const flushTimeout = 1_000;

const output = createOutputQueue(writeOut, (lines) => formatDropped(lines, new Date()));

const terminal: Terminal = {
  version,
  environment: process.env,
  print: (text) => output.print(printableLines(text)),
  log: output.log,
  complain,
  input: () => text(process.stdin),
  onStop: stopOnSignal,
};

try {
  const code = await main();
  await output.flush();
  process.exitCode = code;
} catch (cause) {
  await flushOutput();
  complain(messagesOf(cause));
  process.exit(cause instanceof UsageError || cause instanceof ConfigError ? 2 : 1);
}

function complain(text: string): void {
  console.error(printableLines(text));
}

async function main(): Promise<number | undefined> {
  checkRuntime(process.versions);
  const told = parseArguments(process.argv.slice(2), process.env, commands);
  if (told.kind === "run") return await told.command.run(told.call, terminal);
  if (told.kind === "version") terminal.print(`hallpass ${version}`);
  else {terminal.print(
      told.commands === commands ? help(version, commands) : told.commands.map(helpOf).join("\n"),
    );}
}

/** The first signal lets what is in flight finish, at most for the patience; the second one ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => process.exit(0), stopTimeout);
      await stop();
      await flushOutput();
      process.exit(0);
    });
  }
}

/** Nothing may be reading the output, so the end of the process does not wait for it without end. */
async function flushOutput(): Promise<void> {
  await withTimeout(flushTimeout, output.flush(), () => new Error("The output was not read."))
    .catch(() => {});
}

import process from "node:process";
import { parseArguments, UsageError } from "./cli/arguments.ts";
import { greetLab } from "./cli/greeting.ts";
import { help } from "./cli/help.ts";
import { formatEvent } from "./cli/log.ts";
import type { Running } from "./cli/start.ts";
import { start } from "./cli/start.ts";
import { warnings } from "./cli/warnings.ts";
import { ConfigError } from "./issuer/resolve_config.ts";
import deno from "../deno.json" with { type: "json" };

const { version } = deno;

try {
  await main();
} catch (cause) {
  process.exitCode = complain(cause);
}

async function main(): Promise<void> {
  const args = parseArguments(process.argv.slice(2), process.env);
  if (args.command === "help") return say(help(version));
  if (args.command === "version") return say(`hallpass ${version}`);
  const running = await start(args, process.env, (event) => say(formatEvent(event, new Date())));
  stopOnSignal(running);
  const { server } = running;
  if (args.command === "lab") say(await greetLab(server, version, args.values.config !== undefined));
  for (const warning of warnings(server, running.lasting)) console.error(`warning: ${warning}`);
  server.prepare().catch((cause) => console.error(`The signing keys cannot be made: ${cause instanceof Error ? cause.message : cause}`));
  say(`hallpass ready ${server.issuer}`);
}

/** The first signal lets what is in flight finish; the second one does not wait. */
function stopOnSignal(running: Running): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      if (stopping) process.exit(1);
      stopping = true;
      await running.stop();
      process.exit(0);
    });
  }
}

/** One clear line, and the exit code that goes with it: 2 for what was said wrongly, 1 for what could not be done. */
function complain(cause: unknown): number {
  if (cause instanceof UsageError || cause instanceof ConfigError) {
    console.error(cause.message);
    return 2;
  }
  if (cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE") {
    console.error("Cannot start the server: the port is taken. Choose another one with --port N; --port 0 picks a free one.");
    return 1;
  }
  console.error(cause);
  return 1;
}

function say(text: string): void {
  console.log(text);
}

import process from "node:process";
import { text } from "node:stream/consumers";
import { parseArguments } from "./cli/arguments.ts";
import { greetLab } from "./cli/greeting.ts";
import { help } from "./cli/help.ts";
import { formatEvent } from "./cli/log.ts";
import { checkRuntime } from "./cli/runtime_check.ts";
import type { Running } from "./cli/start.ts";
import { start } from "./cli/start.ts";
import { UsageError } from "./cli/usage_error.ts";
import { warnings } from "./cli/warnings.ts";
import { ConfigError } from "./config/config_error.ts";
import { pbkdf2Passwords } from "./config/passwords.ts";
import deno from "../deno.json" with { type: "json" };

const { version } = deno;
/** For so long what is in flight may take to finish, in milliseconds. */
const patience = 10_000;

// Whoever reads our output may leave before we do.
process.stdout.on("error", () => {});
try {
  await main();
} catch (cause) {
  console.error(complaint(cause));
  process.exit(cause instanceof UsageError || cause instanceof ConfigError ? 2 : 1);
}

async function main(): Promise<void> {
  checkRuntime(process.versions);
  const args = parseArguments(process.argv.slice(2), process.env);
  if (args.command === "help") return console.log(help(version));
  if (args.command === "version") return console.log(`hallpass ${version}`);
  if (args.command === "password") return console.log(await pbkdf2Passwords.hash((await text(process.stdin)).replace(/\r?\n$/, "")));
  const running = await start(args, process.env, (event) => console.log(formatEvent(event, new Date())));
  stopOnSignal(running);
  if (args.command === "lab") console.log(await greetLab(running, version, !args.values.has("config")));
  for (const warning of warnings(args, running)) console.error(`warning: ${warning}`);
  running.server.prepare().catch((cause) => console.error(complaint(cause)));
  console.log(`hallpass ready ${running.server.issuer}`);
}

/** The first signal lets what is in flight finish, as long as that is bearable; the second one does not wait. */
function stopOnSignal(running: Running): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => process.exit(0), patience);
      await running.stop();
      process.exit(0);
    });
  }
}

/** One clear line; a configuration has one for each of its problems. */
function complaint(cause: unknown): string {
  if (cause instanceof UsageError || cause instanceof ConfigError) return cause.message;
  return `Cannot start the server: ${cause instanceof Error ? cause.message : cause}`;
}

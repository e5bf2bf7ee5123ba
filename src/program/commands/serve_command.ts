import type { Command, Option } from "../command_line/command.ts";
import {
  config,
  host,
  issuer,
  metricsHost,
  metricsPort,
  port,
  serverOptions,
  url,
} from "../command_line/options.ts";

const wait: Option = {
  name: "wait",
  valueName: "SECONDS",
  help: "keep asking for this long, until the server is ready",
  problem: (value) => /^\d{1,6}$/.test(value) ? undefined : "must be a number of seconds",
};

/** A server for real use. */
export const serve: Command = {
  name: "serve",
  help: "starts a strict server for real use, with only what --config FILE names",
  examples: [
    "hallpass serve --config hallpass.json",
    "hallpass serve --config hallpass.json --store sqlite:hallpass.db",
  ],
  options: serverOptions,
  async run(invocation, terminal) {
    const { runServeCommand } = await import("../operate/run_serve_command.ts");
    await runServeCommand(invocation, terminal);
    return undefined;
  },
};

/** Asks a running server whether it is healthy, as a container's probe. */
export const health: Command = {
  name: "health",
  help: "asks a running server whether it is ready or alive; exits with 0 or 1",
  examples: [
    "hallpass health --config hallpass.json",
    "hallpass health --config hallpass.json --wait 30",
    "hallpass health --url http://localhost:9000/health",
  ],
  options: [url, wait, config, port, host, issuer, metricsPort, metricsHost],
  async run(invocation, terminal) {
    const { runHealthCommand } = await import("../doctor/run_health_command.ts");
    return await runHealthCommand(invocation, terminal);
  },
};

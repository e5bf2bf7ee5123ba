import type { Command } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import {
  config,
  host,
  issuer,
  metricsHost,
  metricsPort,
  port,
  url,
} from "../command_line/options.ts";

const wait: Option = {
  name: "wait",
  valueName: "SECONDS",
  help: "keep asking for this long, until the server is ready",
  problem: (value) => /^\d{1,6}$/.test(value) ? undefined : "must be a number of seconds",
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

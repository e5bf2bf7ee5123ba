import type { Command } from "../command_line/command.ts";
import {
  config,
  host,
  issuer,
  metricsHost,
  metricsPort,
  port,
  url,
} from "../command_line/options.ts";

/** Asks a running server whether it is healthy, as a container's probe. */
export const health: Command = {
  name: "health",
  help: "asks a running server whether it is ready or alive; exits with 0 or 1",
  examples: [
    "hallpass health --config hallpass.json",
    "hallpass health --url http://localhost:9000/health",
  ],
  options: [url, config, port, host, issuer, metricsPort, metricsHost],
  async run(invocation, terminal) {
    const { runHealthCommand } = await import("../doctor/run_health_command.ts");
    return await runHealthCommand(invocation, terminal);
  },
};

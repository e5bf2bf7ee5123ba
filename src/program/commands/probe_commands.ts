import type { Command, Option } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
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
import type { Examination } from "../doctor/examination.ts";
import { examineClient } from "../features/applications/commands.ts";
import { success } from "../terminal/exit_code.ts";

const wait: Option = {
  name: "wait",
  valueName: "SECONDS",
  help: "keep asking for this long, until the server is ready",
  problem: (value) => /^\d{1,6}$/.test(value) ? undefined : "must be a number of seconds",
};

const probedUrl: Option = {
  ...url,
  repeatable: true,
  help: "also probe this URL, as a client that uses it as the issuer; may be repeated",
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
  run: async (...call) =>
    (await import("../doctor/run_health_command.ts")).runHealthCommand(...call),
};

const examinations: readonly Examination[] = [
  examineClient,
];

/** Probes a server as its clients do. Only its name differs from a call of `lab` or `serve`. */
export const doctor: Command = {
  name: "doctor",
  help: "shows which addresses can be reached from here, and whether the server is ready",
  details: "Of a lab, it takes the options that the lab was started with: hallpass lab --help.",
  examples: [
    "hallpass doctor",
    "hallpass doctor --config hallpass.json",
    ...examinations.map(({ example }) => example),
  ],
  options: [
    probedUrl,
    ...examinations.flatMap(({ options }) => options),
    ...serverOptions,
    ...labOptions,
  ],
  async run(invocation, terminal) {
    for (const { run } of examinations) if (await run(invocation, terminal)) return success;
    const { runDoctorCommand } = await import("../doctor/run_doctor_command.ts");
    return await runDoctorCommand(invocation, terminal);
  },
};

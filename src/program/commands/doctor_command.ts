import type { Command } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import type { Option } from "../command_line/option.ts";
import { serverOptions, url as healthUrl } from "../command_line/options.ts";

const url: Option = {
  ...healthUrl,
  repeatable: true,
  help: "also probe this URL, as a client that uses it as the issuer; may be repeated",
};

/**
 * Probes a server as its clients do. It takes the options of `lab` and `serve`, so that only the
 * command's name changes.
 */
export const doctor: Command = {
  name: "doctor",
  help: "shows which addresses can be reached from here, and whether the server is ready",
  examples: ["hallpass doctor", "hallpass doctor --config hallpass.json"],
  options: [url, ...serverOptions, ...labOptions],
  async run(invocation, terminal) {
    const { runDoctorCommand } = await import("../doctor/run_doctor_command.ts");
    return await runDoctorCommand(invocation, terminal);
  },
};

import type { Command, Option } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import { serverOptions, url } from "../command_line/options.ts";
import { anyClientExample } from "../features/any_client/command_line.ts";
import { enterpriseExample } from "../features/enterprise/command_line.ts";

const probedUrl: Option = {
  ...url,
  repeatable: true,
  help: "also probe this URL, as a client that uses it as the issuer; may be repeated",
};

/** A server for trying and testing clients. */
export const lab: Command = {
  name: "lab",
  help: "starts a lab for testing clients: demo clients and users, in memory, on this machine only",
  examples: [
    "hallpass lab",
    "hallpass lab --port 0 --sign-in alice",
    enterpriseExample,
    anyClientExample,
  ],
  options: [...serverOptions, ...labOptions],
  async run(invocation, terminal) {
    const { runLab } = await import("../lab/run_lab.ts");
    await runLab(invocation, terminal);
    return undefined;
  },
};

/**
 * Probes a server as its clients do. It takes the options of `lab` and `serve`, so that only the
 * command's name changes.
 */
export const doctor: Command = {
  name: "doctor",
  help: "shows which addresses can be reached from here, and whether the server is ready",
  examples: ["hallpass doctor", "hallpass doctor --config hallpass.json"],
  options: [probedUrl, ...serverOptions, ...labOptions],
  async run(invocation, terminal) {
    const { runDoctorCommand } = await import("../doctor/run_doctor_command.ts");
    return await runDoctorCommand(invocation, terminal);
  },
};

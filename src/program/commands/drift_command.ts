import type { Command } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import { json } from "../command_line/options.ts";

const known: Option = {
  name: "known",
  valueName: "FILE",
  help: "an earlier report (--json), whose differences do not count",
};

/** Compares a provider with the preset that tests use, for a nightly job. */
export const drift: Command = {
  name: "drift",
  operandName: "PRESET",
  secondOperandName: "[ISSUER|FILE]",
  help: "compares a provider with a preset; exits with 1 if they differ",
  details: "PRESET is a name, such as google, or a FILE.json of hallpass clone. " +
    "The metadata and the key set of ISSUER are fetched; FILE holds metadata. Without either, " +
    "the metadata is fetched from where that of the preset is from. Exit codes: 0 no " +
    "difference, 1 a difference, 2 no metadata, 3 no response.",
  examples: [
    "hallpass drift google",
    "hallpass drift acme.preset.json https://id.acme.example --json",
    "hallpass drift keycloak https://id.example.com/realms/shop --known drift.json",
  ],
  options: [known, json],
  async run(invocation, terminal) {
    const { runDriftCommand } = await import("../drift/run_drift_command.ts");
    return await runDriftCommand(invocation, terminal);
  },
};

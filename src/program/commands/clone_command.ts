import type { Command, Option } from "../command_line/command.ts";
import { json } from "../command_line/options.ts";

const name: Option = {
  name: "name",
  valueName: "NAME",
  help: "the name of the preset (default: from the host)",
  problem: (value) =>
    /^[a-z][a-z0-9-]{0,31}$/.test(value)
      ? undefined
      : "must have up to 32 lower-case letters, digits and hyphens",
};

const output: Option = {
  name: "output",
  valueName: "FILE",
  help: "the file to write (default NAME.preset.json); it must not exist",
};

/** Makes a preset of a provider, for `hallpass lab --provider FILE`. */
export const clone: Command = {
  name: "clone",
  operandName: "ISSUER|FILE",
  help: "makes a preset of a provider, from its metadata, for --provider",
  details:
    "FILE holds metadata. Members that no specification knows may be secrets: they are left " +
    "out, and listed.",
  examples: [
    "hallpass clone https://id.example.com",
    "hallpass clone https://id.example.com --output acme.json",
  ],
  options: [name, output, json],
  async run(invocation, terminal) {
    const { runCloneCommand } = await import("../clone/run_clone_command.ts");
    return await runCloneCommand(invocation, terminal);
  },
};

import type { Command } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import { json } from "../command_line/options.ts";

const har: Option = {
  name: "har",
  valueName: "FILE",
  help: "a recording of a login (HAR 1.2), as the network panels of browsers save it",
};

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
  help: "makes a preset of a provider, from its metadata or a recorded login, for --provider",
  details: "FILE holds metadata, or a HAR. Of a recording, paths, names of claims and forms of " +
    "responses are taken over; codes, tokens, secrets, cookies and all other values are not.",
  examples: [
    "hallpass clone https://id.example.com",
    "hallpass clone https://id.example.com --har login.har --output acme.json",
  ],
  options: [har, name, output, json],
  async run(invocation, terminal) {
    const { runCloneCommand } = await import("../clone/run_clone_command.ts");
    return await runCloneCommand(invocation, terminal);
  },
};

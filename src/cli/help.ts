import type { Command } from "./command.ts";
import { type Option, variableOf } from "./options.ts";

const width = 34;

/** What `hallpass --help` prints. */
export function help(version: string, commands: readonly Command[]): string {
  return `Hallpass ${version}, an OAuth 2.1 and OpenID Connect authorization server

${commands.map((command) => line(`hallpass ${usage(command)}`, command.help)).join("\n")}

Without a command it is a lab. What a command takes: hallpass COMMAND --help

Options of lab and serve
${allOptions(commands).map(describe).join("\n")}
${line("--help, --version", "this text; the version")}

Each of these can also stand in the environment: --port as ${
    variableOf({ name: "port" })
  }, --redirect-uri as ${variableOf({ name: "redirect-uri" })}, and so on.
${aboutSecret}`;
}

/** What `hallpass COMMAND --help` prints. */
export function helpOf(command: Command): string {
  const options = command.options.length === 0
    ? ""
    : `\n${command.options.map(describe).join("\n")}\n`;
  const usesStore = command.options.some(({ name }) => name === "store");
  return `hallpass ${usage(command)}\n\n${command.help}\n${options}${
    usesStore ? `\n${aboutSecret}` : ""
  }`;
}

const aboutSecret =
  "HALLPASS_SECRET seals the signing keys that a store holds; it has at least 32 characters, and no option shows it to other processes.\n";

function usage({ name, takes }: Command): string {
  return takes ? `${name} ${takes}` : name;
}

function allOptions(commands: readonly Command[]): Option[] {
  return [
    ...new Set(
      commands.filter(({ name }) => name === "lab" || name === "serve").flatMap(({ options }) =>
        options
      ),
    ),
  ];
}

function describe({ name, value, help }: Option): string {
  return line(`--${name}${value ? ` ${value}` : ""}`, help);
}

function line(what: string, help: string): string {
  return `  ${what.padEnd(width)}${help}`;
}

import { variableOf } from "./arguments.ts";
import type { Option } from "./options.ts";
import { options } from "./options.ts";

const width = 30;

/** What `hallpass --help` prints. */
export function help(version: string): string {
  return `Hallpass ${version}, an OAuth 2.1 and OpenID Connect authorization server

  hallpass lab                    for trying and testing clients: demo clients and users, in memory, on loopback;
                                  also what you get when you name no command
  hallpass serve --config FILE    for real use: strict, with what the configuration names and nothing else
  hallpass password               reads a password from standard input, and prints the passwordHash for a configuration

Options
${options.map(describe).join("\n")}
  ${"--help, --version".padEnd(width)}this text; the version

Each option can also stand in the environment: --port as ${variableOf({ name: "port" })}, --redirect-uri as ${
    variableOf({ name: "redirect-uri" })
  }, and so on.
HALLPASS_SECRET seals the signing keys that a store holds; it has at least 32 characters, and no option shows it to other processes.
`;
}

function describe({ name, value, commands, help }: Option): string {
  const only = commands.length === 1 ? ` [${commands[0]} only]` : "";
  return `  ${`--${name}${value ? ` ${value}` : ""}`.padEnd(width)}${help}${only}`;
}

import { variableOf } from "./arguments.ts";
import { options } from "./options.ts";

/** What `hallpass --help` prints. */
export function help(version: string): string {
  return `Hallpass ${version}, an OAuth 2.1 and OpenID Connect authorization server

  hallpass lab                    for trying and testing clients: demo clients and users, in memory, on loopback;
                                  also what you get when you say nothing
  hallpass serve --config FILE    for real use: strict, with what the configuration names and nothing else

Options
${options.map(line).join("\n")}
  ${"--help, --version".padEnd(width)}this text; the version

Each option can also stand in the environment: --port as ${variableOf(options[0])}, and so on.
HALLPASS_SECRET seals the signing keys that the store holds; keep it out of the command line.
`;
}

const width = 30;

function line({ name, value, commands, help }: (typeof options)[number]): string {
  const only = commands.length === 1 ? ` [${commands[0]} only]` : "";
  return `  ${`--${name}${value ? ` ${value}` : ""}`.padEnd(width)}${help}${only}`;
}

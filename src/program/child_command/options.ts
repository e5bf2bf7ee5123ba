import type { Invocation, Option } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import { port, serverOptions } from "../command_line/options.ts";
import { UsageError } from "../terminal/exit_code.ts";

/** A variable for the command of the user. */
export const env: Option = {
  name: "env",
  valueName: "NAME=VALUE",
  repeatable: true,
  mayHoldPassword: true,
  help: "a variable for the command; {issuer}, {port}, {lab}, {ca} and {job} are replaced",
};

/** Options that make no sense for a lab that ends with its command, and keeps nothing. */
const omittedOptions: readonly string[] = [
  "port",
  "store",
  "log",
  "log-level",
  "metrics-port",
  "metrics-host",
  "lab-port",
  "drill-origin",
  "with-parent",
];

/** The options of the lab that a command of the user talks to. */
export const childLabOptions: readonly Option[] = [
  { ...port, inEnvironment: false, help: "the port of the lab (default a free one)" },
  ...[...serverOptions, ...labOptions].filter(({ name }) => !omittedOptions.includes(name)),
];

/** Returns the command of the user, which follows `--`. */
export function requireChild({ childCommand }: Invocation, example: string): readonly string[] {
  if (childCommand?.length) return childCommand;
  throw new UsageError(`Write the command that runs your tests after --: ${example}`);
}

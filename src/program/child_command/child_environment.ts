import { delimiter, join } from "node:path";
import type { Invocation } from "../command_line/command.ts";
import { pathExists } from "../operate/open_store.ts";
import type { Environment } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { fillIn, type LabTarget, placeholderProblem } from "./lab_target.ts";

/** What configures this program, and may hold its credentials. */
const ownVariable = /^HALLPASS_/i;

/**
 * Temporary folders on the PATH: `npx node@24` adds one with a Node, `bunx --bun` with Bun as one.
 */
const runnerFolders = /[\\/](?:_npx[\\/]|bun-node-)/;

/** The variables that no command gets, even from --env. */
const secretVariables: readonly string[] = ["HALLPASS_SECRET", "HALLPASS_LAB_TOKEN"];

/** Checks the values of --env. A value may be a credential, so only its name is repeated. */
export function checkVariables({ values }: Invocation): void {
  for (const variable of values.get("env") ?? []) {
    const problem = variableProblem(variable);
    if (problem !== undefined) throw new UsageError(`--env ${variable.split("=")[0]} ${problem}`);
  }
}

/** Returns why `NAME=VALUE` sets no variable for a command, or undefined. */
function variableProblem(text: string): string | undefined {
  const [, name] = /^([A-Za-z_]\w*)=/.exec(text) ?? [];
  if (name === undefined) return "must be NAME=VALUE, such as ISSUER={issuer}";
  if (secretVariables.includes(name.toUpperCase())) {
    return "sets what only Hallpass itself may have";
  }
  return placeholderProblem(text);
}

/**
 * Returns the environment of a command: that of this process, without what configures it and the
 * Node that npx or bunx fetched for it, and with the variables of the command line.
 */
export async function childEnvironment(
  environment: Environment,
  variables: readonly string[],
  target: LabTarget,
): Promise<Environment> {
  const inherited = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !ownVariable.test(name)),
  );
  for (const [name, value = ""] of Object.entries(inherited)) {
    if (/^path$/i.test(name)) inherited[name] = await withoutRunnerFolders(value);
  }
  const given = variables.map((text) => toEntry(fillIn(text, target)));
  return { ...inherited, ...Object.fromEntries(given) };
}

/** Lets the command run on the machine's own Node, as it would without Hallpass. */
async function withoutRunnerFolders(path: string): Promise<string> {
  const folders: string[] = [];
  for (const folder of path.split(delimiter)) {
    const isRunner = runnerFolders.test(folder) && await pathExists(join(folder, "node"));
    if (!isRunner) folders.push(folder);
  }
  return folders.join(delimiter);
}

function toEntry(text: string): [name: string, value: string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`--env must be NAME=VALUE: ${text}`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

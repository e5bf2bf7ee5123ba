import { delimiter, join } from "node:path";
import { pathExists } from "../../operate/open_store.ts";
import type { Environment } from "../../terminal/terminal.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import { fillIn, placeholderProblem, type SuiteTarget } from "./suite_target.ts";

/** What configures this program, and may hold its credentials. */
const ownVariable = /^HALLPASS_/i;

/** A folder where npx keeps what it runs: with `npx node@24`, a Node. */
const npxFolder = /[\\/]_npx[\\/]/;

/** The variables that no suite gets, even if the command line says so. */
const secretVariables: readonly string[] = ["HALLPASS_SECRET", "HALLPASS_LAB_TOKEN"];

/** Returns why `NAME=VALUE` sets no variable for a suite, or undefined. */
export function variableProblem(text: string): string | undefined {
  const [, name] = /^([A-Za-z_]\w*)=/.exec(text) ?? [];
  if (name === undefined) return "must be NAME=VALUE, such as ISSUER={issuer}";
  if (secretVariables.includes(name.toUpperCase())) return "sets what no suite may have";
  return placeholderProblem(text);
}

/**
 * Returns the environment of a suite: ours, without what configures this program and the Node that
 * npx fetched for it, and with the variables of the command line.
 */
export async function suiteEnvironment(
  environment: Environment,
  variables: readonly string[],
  target: SuiteTarget,
): Promise<Environment> {
  const inherited = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !ownVariable.test(name)),
  );
  for (const [name, value = ""] of Object.entries(inherited)) {
    if (/^path$/i.test(name)) inherited[name] = await withoutOurNode(value);
  }
  const given = variables.map((text) => toEntry(fillIn(text, target)));
  return { ...inherited, ...Object.fromEntries(given) };
}

/** The tests run on the Node of the machine, as they do without us, and not on ours. */
async function withoutOurNode(path: string): Promise<string> {
  const folders: string[] = [];
  for (const folder of path.split(delimiter)) {
    const isOurs = npxFolder.test(folder) && await pathExists(join(folder, "node"));
    if (!isOurs) folders.push(folder);
  }
  return folders.join(delimiter);
}

function toEntry(text: string): [name: string, value: string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`--env must be NAME=VALUE: ${text}`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

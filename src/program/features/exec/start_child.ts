import { delimiter, join } from "node:path";
import { hasErrorCode, messageOf } from "../../../server/util/text/error_message.ts";
import type { Invocation } from "../../command_line/command.ts";
import type { LabTarget } from "../../lab/child_lab.ts";
import { pathExists } from "../../operate/open_store.ts";
import { startCommand, type StartedCommand } from "../../processes/child_process.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import type { Environment } from "../../terminal/terminal.ts";

/** Why a command cannot be started. */
export class NotStartedError extends Error {}

const placeholders: ReadonlyArray<keyof LabTarget> = ["issuer", "port", "lab", "ca"];
const placeholder = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");

/** What configures this program, and may hold its credentials. */
const ownVariable = /^HALLPASS_/i;

/**
 * Temporary folders on the PATH: `npx node@24` adds one with a Node, `bunx --bun` with Bun as one.
 */
const runnerFolders = /[\\/](?:_npx[\\/]|bun-node-)/;

/** The variables that no command gets, even from --env. */
const secretVariables: readonly string[] = ["HALLPASS_SECRET", "HALLPASS_LAB_TOKEN"];

/**
 * Starts a command for a lab.
 *
 * @throws {NotStartedError} There is no such program, or this user may not start it.
 */
export async function startChild(
  { words, variables, environment }: {
    /** The program and its arguments. */
    words: readonly string[];
    /** Variables for its environment: `NAME=VALUE`. */
    variables: readonly string[];
    /** Our own environment. */
    environment: Environment;
  },
  target: LabTarget,
): Promise<StartedCommand> {
  const filled = words.map((word) => fillIn(word, target));
  const variablesOfChild = await childEnvironment(environment, variables, target);
  try {
    return await startCommand(filled, variablesOfChild);
  } catch (cause) {
    throw new NotStartedError(startProblem(filled[0] ?? "", cause));
  }
}

/** Checks the values of --env. A value may be a credential, so only its name is repeated. */
export function checkVariables({ values }: Invocation): void {
  for (const variable of values.get("env") ?? []) {
    const problem = variableProblem(variable);
    if (problem !== undefined) throw new UsageError(`--env ${variable.split("=")[0]} ${problem}`);
  }
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

export function fillIn(text: string, target: LabTarget): string {
  return text.replace(placeholder, (_, name: keyof LabTarget) => String(target[name] ?? ""));
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

/** Returns why a text has a placeholder that nothing replaces, or undefined. */
function placeholderProblem(text: string): string | undefined {
  const known = placeholders.map((name) => `{${name}}`);
  const [unknown] = (text.match(/\{[A-Za-z]\w*\}/g) ?? []).filter((each) => !known.includes(each));
  if (unknown === undefined) return undefined;
  return `has the unknown placeholder ${unknown}; there are ${known.join(", ")}`;
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

function startProblem(program: string, cause: unknown): string {
  const isMissing = hasErrorCode(cause, "ENOENT") ||
    /not found|no such file/i.test(messageOf(cause));
  const why = isMissing ? "there is no such program" : messageOf(cause);
  return `The command '${program}' cannot be started: ${why}. It is started without a shell: for ` +
    "a script of npm write 'npm test', for what only a shell understands sh -c '…'.";
}

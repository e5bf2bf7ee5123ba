import { ConfigError } from "../../server/config/problems.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import type { Environment } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { jsonVariable } from "./config_file.ts";
import { secretVariable } from "./configuration.ts";
import { readJsonPositions, type TextPosition } from "./json_positions.ts";
import { isModule, readTextFile } from "./program_config.ts";

/** Where a problem of a configuration is. */
export interface ProblemLocation extends TextPosition {
  /** The file, or the environment variable that holds the configuration. */
  file: string;
}

/** The text of a configuration, and the settings that it does not decide. */
interface ConfigSource {
  file: string;
  text: string;
  overridden: ReadonlySet<string>;
}

/** What the problems of a whole configuration prevent. */
const configurationTasks: readonly string[] = ["start the server", "look for the server"];

/** The settings of the server that an option overrides, by the option. */
const settingOfOption: Readonly<Record<string, string>> = {
  "issuer": "issuer",
  "front-channel": "frontChannelUrl",
  "back-channel": "backChannelUrl",
  "profile": "profile",
  "alg": "alg",
};

/**
 * Adds to each problem of a configuration in JSON its line and column. Every other error is
 * returned as it is.
 */
export async function locateProblems(
  cause: unknown,
  invocation: Invocation,
  environment: Environment,
): Promise<unknown> {
  if (!(cause instanceof ConfigError)) return cause;
  const locations = await findLocations(cause, invocation, environment);
  const lines = cause.problems.map((problem, at) => {
    const location = locations[at];
    return location ? `  - ${problem}\n    at ${formatLocation(location)}` : `  - ${problem}`;
  });
  const [title] = cause.message.split("\n");
  return new UsageError([title, ...lines].join("\n"));
}

/** Returns where each problem of a configuration is, as far as it is at a place of its text. */
export async function findLocations(
  { problems, task }: ConfigError,
  invocation: Invocation,
  environment: Environment,
): Promise<Array<ProblemLocation | undefined>> {
  const source = concernsConfiguration(task)
    ? await readSource(invocation, environment).catch(() => undefined)
    : undefined;
  if (!source) return problems.map(() => undefined);
  const positions = readJsonPositions(source.text);
  return problems.map((problem) => {
    const path = pathOf(problem, positions);
    if (path === undefined || source.overridden.has(firstName(path))) return undefined;
    const position = positions.get(path);
    return position && { file: source.file, ...position };
  });
}

/** Formats a location as compilers do: editors and terminals open it. */
function formatLocation({ file, line, column }: ProblemLocation): string {
  return `${file}:${line}:${column}`;
}

/** Whether an error is about the whole configuration, and not about a client or user to add. */
function concernsConfiguration(task: string): boolean {
  return configurationTasks.includes(task);
}

async function readSource(
  invocation: Invocation,
  environment: Environment,
): Promise<ConfigSource | undefined> {
  const file = valueOf(invocation, "config");
  const overridden = overriddenSettings(invocation, environment);
  if (file === undefined) {
    const text = environment[jsonVariable];
    return text ? { file: jsonVariable, text, overridden } : undefined;
  }
  if (isModule(file)) return undefined;
  return { file, text: await readTextFile(file), overridden };
}

function overriddenSettings({ values }: Invocation, environment: Environment): Set<string> {
  const settings = Object.entries(settingOfOption).flatMap(([option, setting]) =>
    values.has(option) ? [setting] : []
  );
  return new Set(environment[secretVariable] ? [...settings, "secret"] : settings);
}

/**
 * Returns the longest path of the text with which a problem begins. If a member is missing, that is
 * the path of its parent.
 */
function pathOf(problem: string, positions: ReadonlyMap<string, unknown>): string | undefined {
  let longest: string | undefined;
  for (const path of positions.keys()) {
    const isBeginning = problem.startsWith(path) &&
      /^(?:[ .[,]|$)/.test(problem.slice(path.length));
    if (isBeginning && path.length > (longest?.length ?? 0)) longest = path;
  }
  return longest;
}

function firstName(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

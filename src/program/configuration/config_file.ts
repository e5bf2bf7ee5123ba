import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { testSettings } from "../../server/config/test_settings.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { Invocation } from "../command_line/command.ts";
import { readBrandFiles } from "../features/brand/configuration.ts";
import { UsageError } from "../terminal/exit_code.ts";
import type { Environment } from "../terminal/terminal.ts";
import {
  isModule,
  type LabFileConfig,
  type ProgramConfig,
  programSchema,
  readTextFile,
  type ServerConfig,
  type SettingReader,
} from "./program_config.ts";
import { findRepeatedMember } from "./repeated_member.ts";

/** Settings whose values may be paths of files. */
const settingReaders: readonly SettingReader[] = [
  readBrandFiles,
];

/** The settings of a configuration, by what takes them. */
export interface SettingParts {
  program: ProgramConfig;
  lab: LabFileConfig;
  server: ServerConfig;
}

/** What a configuration file holds. */
export interface FileConfig extends SettingParts {
  /** The files that it was read from. */
  files: readonly string[];
  /** The environment variables that the configuration reads secrets from. */
  secretVariables: readonly string[];
  /** Those of them that are not set. */
  missingSecrets: readonly string[];
}

/** The environment variables that a configuration names, and those of them that are not set. */
interface SecretVariables {
  secretVariables: string[];
  missingSecrets: string[];
}

const noVariables: SecretVariables = { secretVariables: [], missingSecrets: [] };

/** The modules that were read, with how often. */
const modulesRead = new Map<string, number>();

/**
 * The environment variable that can hold the configuration itself, for a container without files.
 */
export const jsonVariable = "HALLPASS_CONFIG_JSON";

/**
 * Reads JSON, in which `{ "env": "NAME" }` stands for a secret, or a module that exports a
 * configuration.
 */
export async function readConfigFile(path: string, environment: Environment): Promise<FileConfig> {
  const folder = dirname(path);
  if (!isModule(path)) {
    const config = readConfigText(await readTextFile(path), path, environment);
    return await withFiles({ ...config, files: [path] }, folder);
  }
  const content = await importModule(path);
  if (!isObject(content)) {
    throw new UsageError(`The configuration ${path} must be an object, exported as default.`);
  }
  return await withFiles({ ...toFileConfig(content, noVariables), files: [path] }, folder);
}

/** Puts the content of files in the place of their paths. */
async function withFiles(config: FileConfig, folder: string): Promise<FileConfig> {
  let { server } = config;
  const files = [...config.files];
  for (const read of settingReaders) {
    server = await read(server, folder, (path) => void files.push(path));
  }
  return { ...config, server, files };
}

/** Reads the configuration that the environment itself holds, if it holds one. */
export async function readEnvironmentConfig(
  environment: Environment,
): Promise<FileConfig | undefined> {
  const text = environment[jsonVariable];
  if (!text) return undefined;
  return await withFiles(readConfigText(text, `in ${jsonVariable}`, environment), ".");
}

/** Returns whether a file or the environment configures the server. */
export function isConfigured(invocation: Invocation, environment: Environment): boolean {
  return invocation.values.has("config") || Boolean(environment[jsonVariable]);
}

function readConfigText(text: string, place: string, environment: Environment): FileConfig {
  const variables: SecretVariables = { secretVariables: [], missingSecrets: [] };
  const content = fillSecrets(parseJson(text, place), environment, variables);
  if (!isObject(content)) throw new UsageError(`The configuration ${place} must be an object.`);
  return toFileConfig(content, variables);
}

function toFileConfig(content: object, variables: SecretVariables): FileConfig {
  const { $schema: _, ...settings } = content as { $schema?: string };
  return { ...splitSettings(settings), ...variables, files: [] };
}

/** Splits settings by what takes them. Those that nothing knows are refused by the server. */
export function splitSettings(settings: object): SettingParts {
  const { program = [], lab = [], server = [] } = Object.groupBy(
    Object.entries(settings),
    ([name]) => partOf(name),
  );
  return {
    program: Object.fromEntries(program),
    lab: Object.fromEntries(lab),
    server: Object.fromEntries(server),
  };
}

function partOf(name: string): keyof SettingParts {
  if (Object.hasOwn(programSchema.members, name)) return "program";
  return Object.hasOwn(testSettings, name) ? "lab" : "server";
}

/** Imports a module. Runtimes remember a module by its URL, so that one read again needs another. */
async function importModule(path: string): Promise<unknown> {
  const url = pathToFileURL(resolve(path));
  const count = modulesRead.get(url.href) ?? 0;
  modulesRead.set(url.href, count + 1);
  if (count > 0) url.searchParams.set("read", `${count}`);
  try {
    return (await import(url.href)).default;
  } catch (cause) {
    throw new UsageError(`The configuration ${path} cannot be loaded: ${messageOf(cause)}`);
  }
}

function parseJson(text: string, place: string): unknown {
  const content = parse(text, place);
  const repeated = findRepeatedMember(text);
  if (repeated === undefined) return content;
  throw new UsageError(`The configuration ${place} has '${repeated}' twice.`);
}

/** What runtimes say about a text that is not JSON may repeat it, and it may hold secrets. */
function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const [position] = /line \d+ column \d+/.exec(messageOf(cause)) ?? [];
    const where = position === undefined ? "" : `: look at ${position}`;
    throw new UsageError(`The configuration ${place} is not JSON${where}.`);
  }
}

/**
 * Replaces each `{ "env": "NAME" }`. It collects missing secrets, so that everything else can be
 * checked too.
 */
function fillSecrets(
  value: unknown,
  environment: Environment,
  variables: SecretVariables,
): unknown {
  if (Array.isArray(value)) return value.map((entry) => fillSecrets(entry, environment, variables));
  if (!isObject(value)) return value;
  const variable = variableIn(value);
  if (variable === undefined) {
    return Object.fromEntries(
      Object.entries(value).map((
        [name, entry],
      ) => [name, fillSecrets(entry, environment, variables)]),
    );
  }
  variables.secretVariables.push(variable);
  const secret = environment[variable];
  if (secret) return secret;
  variables.missingSecrets.push(variable);
  return `placeholder for the secret in ${variable}`;
}

function variableIn(value: object): string | undefined {
  const [only, ...others] = Object.entries(value);
  return only?.[0] === "env" && others.length === 0 ? String(only[1]) : undefined;
}

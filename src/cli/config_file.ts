import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config/config.ts";
import { collectProblems } from "../config/problems.ts";
import { type Shape, text } from "../config/shape.ts";
import { messageOf } from "../util/error_message.ts";
import { isObject } from "../util/json.ts";
import type { Environment } from "./environment.ts";
import { UsageError } from "./usage_error.ts";

/** What a configuration file holds for the program, beside what it holds for the server. */
export interface ProgramConfig {
  /** "memory", "sqlite:PATH", or, in a module, a store of your own. */
  store?: string | Config["store"];
  port?: number;
  host?: string;
  /** Files with a TLS certificate and its key. */
  cert?: string;
  key?: string;
}

export interface FileConfig {
  program: ProgramConfig;
  server: Omit<Partial<Config>, "store">;
  /** Variables of the environment that it takes secrets from, and that are not set. */
  missing: readonly string[];
}

/** Reads JSON, in which `{ "env": "NAME" }` stands for a secret, or a module that exports a configuration. */
export async function readConfigFile(path: string, environment: Environment): Promise<FileConfig> {
  const missing: string[] = [];
  const isModule = /\.[cm]?[jt]s$/.test(path);
  const content = isModule
    ? await importModule(path)
    : fillSecrets(parseJson(await readTextFile(path), path), environment, missing);
  if (!isObject(content)) {
    throw new UsageError(
      `The configuration ${path} must be an object${isModule ? ", exported as default" : ""}.`,
    );
  }
  const { store, port, host, cert, key, ...server } = content as
    & ProgramConfig
    & FileConfig["server"];
  checkProgram({ port, host, cert, key });
  return { program: { store, port, host, cert, key }, server, missing };
}

function checkProgram(program: Omit<ProgramConfig, "store">): void {
  const problems = collectProblems();
  const isPort = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535;
  const shapes: Record<string, Shape> = {
    port: (value, path, report) =>
      isPort(value) ? undefined : report(path, "must be a port between 0 and 65535"),
    host: text,
    cert: text,
    key: text,
  };
  for (const [name, value] of Object.entries(program)) {
    if (value !== undefined) shapes[name](value, name, problems.report);
  }
  problems.throwAny("start the server");
}

async function importModule(path: string): Promise<unknown> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)).default;
  } catch (cause) {
    throw new UsageError(`The configuration ${path} cannot be loaded: ${messageOf(cause)}`);
  }
}

/** Reads a file that an option or the configuration names. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`The file ${path} cannot be read: ${messageOf(cause)}`);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`The configuration ${path} is not JSON: ${messageOf(cause)}`);
  }
}

/** A secret that is not there is told apart, so that everything else can be checked as well. */
function fillSecrets(value: unknown, environment: Environment, missing: string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => fillSecrets(entry, environment, missing));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (entries.length !== 1 || entries[0][0] !== "env") {
    return Object.fromEntries(
      entries.map(([name, entry]) => [name, fillSecrets(entry, environment, missing)]),
    );
  }
  const name = String(entries[0][1]);
  if (!environment[name]) missing.push(name);
  return environment[name] || `the secret that ${name} does not hold`;
}

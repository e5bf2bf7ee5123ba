import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../issuer/config.ts";
import { UsageError } from "./arguments.ts";

/** What a configuration file may hold beside the server's own configuration. */
export interface FileConfig extends Omit<Partial<Config>, "store"> {
  /** "memory", "sqlite:PATH", or, in a module, a store of your own. */
  store?: string | Config["store"];
  port?: number;
  host?: string;
  /** Files with a TLS certificate and its key. */
  cert?: string;
  key?: string;
}

/** Reads JSON, in which `{ "env": "NAME" }` stands for a secret, or a module that exports a configuration. */
export async function readConfigFile(path: string, environment: Record<string, string | undefined>): Promise<FileConfig> {
  if (/\.[cm]?[jt]s$/.test(path)) return await importConfig(path);
  const config = fillSecrets(parse(await read(path), path), environment, path);
  if (typeof config === "object" && config !== null && !Array.isArray(config)) return config;
  throw new UsageError(`The configuration ${path} must be an object.`);
}

async function importConfig(path: string): Promise<FileConfig> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)).default;
  } catch (cause) {
    throw new UsageError(`The configuration ${path} cannot be loaded: ${describe(cause)}`);
  }
}

/** Reads a file that an option or the configuration names. */
export async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`The file ${path} cannot be read: ${describe(cause)}`);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`The configuration ${path} is not JSON: ${describe(cause)}`);
  }
}

function fillSecrets(value: unknown, environment: Record<string, string | undefined>, path: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => fillSecrets(entry, environment, path));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0][0] === "env") return secretFrom(String(entries[0][1]), environment, path);
  return Object.fromEntries(entries.map(([name, entry]) => [name, fillSecrets(entry, environment, path)]));
}

function secretFrom(name: string, environment: Record<string, string | undefined>, path: string): string {
  const secret = environment[name];
  if (secret) return secret;
  throw new UsageError(`The configuration ${path} takes a secret from the environment variable ${name}, which is not set.`);
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

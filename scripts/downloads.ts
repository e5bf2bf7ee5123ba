/** What builds and tests need from a registry: fetched once, before what needs it. */
import { cp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import deno from "../deno.json" with { type: "json" };
import {
  type LanguageExample,
  languageExamples,
  reasonToSkip,
  socialAuth,
  toolchain,
} from "../tests/once/examples/languages.ts";
import { type CommandResult, compiler, createSlots, runCommand } from "./child.ts";

/** Something that a registry has. */
export interface Download {
  /** It prints `path=…` if the result is not where it runs. */
  command: readonly string[];
  /** The tests that use it, by the beginning of their path. */
  usedBy?: readonly string[];
  /** Where the command runs. */
  cwd?: string;
  /** Folders that are copied side by side, as they are here. The command runs in the first copy. */
  sources?: readonly string[];
  env?: Record<string, string>;
  /** Returns why it is of no use on this machine, or false. */
  skip?(): string | false;
}

/**
 * What came of a download: where it is, or why there is none. `isOutage` if a registry could not be
 * reached, which is no fault of ours.
 */
export type Fetched = { path: string } | { reason: string; isOutage: boolean };

const minute = 60_000;

/** How long each try may take. A registry that stalls once rarely stalls again at once. */
const tryLimits: readonly number[] = [2 * minute, 4 * minute, 6 * minute];

/** What npm, Deno, pip, Go and Maven print if their registry cannot be reached. */
export const outage: RegExp =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|\bE(?:429|5\d\d)\b|Name or service not known|name resolution|Unknown host|no such host|dial tcp|Connection refused|Connect(?:ion)? timed? ?out|NewConnectionError|ProxyError|Network is unreachable|error sending request|offline mode/i;

/** The variable in which the runner of the tests lists what it has fetched. */
const variable = "HALLPASS_TEST_FETCHED";

const [, , compilingBun = ""] = deno.tasks.compile.command.split(" ");
const [, , , typescript = ""] = compiler;

/** What makes the package, and what all tests in tests/once have in common. */
export const forPackage: readonly string[] = [typescript, "scripts/types", "scripts/rolldown"];
export const forOnce: readonly string[] = ["node@24", "bun@1", compilingBun, "tests/once"];

const packageManagers = ["pnpm@9", "yarn@1", "@yarnpkg/cli-dist@4"];
const typePackages = ["testcontainers@12.0.4", "@types/node@24", "cypress@15.3.0"];
const npmInstall = ["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"];

const downloads: Readonly<Record<string, Download>> = {
  "tests/once": {
    command: [process.execPath, "install", "--frozen", "--quiet"],
    cwd: "tests/once",
  },
  ...each(["node@24", "bun@1", compilingBun], runtime),
  "node@20.19": { ...runtime("node@20.19"), usedBy: ["tests/once/package/loaders"] },
  ...each([typescript, ...packageManagers], (name) => ({
    command: ["npx", "-y", "-p", name, "node", "--version"],
    // In our own folder, npx finds the TypeScript that is installed there, and fetches none.
    sources: [],
    usedBy: packageManagers.includes(name) ? ["tests/once/package/package_managers"] : [],
  })),
  ...each(["scripts/types", "scripts/rolldown"], (folder) => ({
    command: npmInstall,
    sources: [folder],
  })),
  "scripts/trials/flood": {
    command: npmInstall,
    sources: ["scripts/trials/flood"],
    usedBy: ["tests/once/soak"],
  },
  "scripts/site/vitepress": {
    command: npmInstall,
    sources: ["scripts/site/vitepress"],
    usedBy: ["tests/once/site"],
  },
  // It needs a TypeScript that is older than the types of the others.
  "tests/loaders": {
    command: npmInstall,
    sources: ["tests/loaders"],
    usedBy: ["tests/once/package/loaders"],
  },
  "tests/examples": {
    command: npmInstall,
    sources: ["tests/examples", "tests/support"],
    usedBy: [
      ...["apis", "coming_from", "examples", "fixtures", "nextjs", "with_drill"].map((
        name,
      ) => `examples/${name}`),
      "suites/",
    ].map((name) => `tests/once/${name}`),
  },
  ...each(typePackages, (name) => ({
    command: ["npm", "pack", "--silent", name],
    sources: [],
    usedBy: ["tests/once/examples/cypress", "tests/once/examples/testcontainers"],
  })),
  ...Object.fromEntries(languageExamples.map((example) => [
    nameOf(example),
    {
      ...ofExample(example),
      usedBy: ["tests/once/examples/other_languages", "tests/once/examples/testcontainers"],
    },
  ])),
  [nameOf(socialAuth)]: ofExample(socialAuth),
};

/** A few at a time: the tests that need nothing fetched have begun. */
const inTurn = createSlots(3);
const started = new Map<string, Promise<Fetched>>();

/** How long each download took, in seconds. */
export const fetchSeconds: Map<string, number> = new Map();
const given: Record<string, Fetched> | undefined = JSON.parse(process.env[variable] ?? "null") ??
  undefined;

/** Returns the names of what tests use besides what they have in common. */
export function usedBy(tests: readonly string[]): string[] {
  return Object.entries(downloads).flatMap(([name, { usedBy: users = [] }]) =>
    tests.some((test) => users.some((user) => test.startsWith(user))) ? [name] : []
  );
}

/** Fetches something, unless that was done. The tests of our runner find it fetched. */
export function fetchOnce(name: string): Promise<Fetched> {
  const known = given?.[name];
  if (known) return Promise.resolve(known);
  if (given) throw new Error(`A test would fetch ${name}: scripts/downloads.ts must know it.`);
  const download = downloads[name];
  if (download === undefined) throw new Error(`scripts/downloads.ts does not know ${name}.`);
  const result = started.get(name) ?? inTurn(() => fetchWithTries(name, download));
  started.set(name, result);
  return result;
}

/** Returns the variable for tests that need no more than what was fetched. */
export async function fetchedVariable(names: readonly string[]): Promise<Record<string, string>> {
  const results = await Promise.all(names.map(async (name) => [name, await fetchOnce(name)]));
  return { [variable]: JSON.stringify(Object.fromEntries(results)) };
}

/** Returns where something is. */
export async function fetched(name: string): Promise<string> {
  const result = await fetchOnce(name);
  if ("reason" in result) throw new Error(result.reason);
  return result.path;
}

/** Returns the path of a runtime, so that it runs without npx as a wrapper. */
export const binary: (name: string) => Promise<string> = fetched;

/** Returns why something cannot be had on this machine, or false; throws if that is our fault. */
export async function reasonNotFetched(name: string): Promise<string | false> {
  const result = await fetchOnce(name);
  if ("path" in result) return false;
  if (!result.isOutage) throw new Error(result.reason);
  return result.reason;
}

/** Fetches something; what stalls, or finds no registry, is tried again. */
export async function fetchWithTries(
  name: string,
  download: Download,
  limits: readonly number[] = tryLimits,
): Promise<Fetched> {
  const skip = download.skip?.() ?? false;
  if (skip !== false) return { reason: skip, isOutage: true };
  const began = performance.now();
  let reason = "";
  for (const timeout of limits) {
    const cwd = await workFolder(name, download);
    const result = await runCommand(download.command, { timeout, cwd, env: download.env ?? {} });
    fetchSeconds.set(name, (performance.now() - began) / 1000);
    if (result.code === 0) return { path: /^path=(.+)$/m.exec(result.output)?.[1] ?? cwd };
    reason = `${name} cannot be fetched: ${problemOf(result, timeout)}`;
    if (!result.timedOut && !outage.test(result.output)) return { reason, isOutage: false };
  }
  return { reason, isOutage: true };
}

function problemOf({ output, timedOut }: CommandResult, timeout: number): string {
  if (timedOut) return `the registry did not respond within ${timeout / 1000} seconds`;
  return outage.test(output) ? "the registry cannot be reached" : output.trim();
}

/** Copies the sources of a download to a folder of this run, and returns where it runs. */
async function workFolder(name: string, { cwd, sources }: Download): Promise<string> {
  if (sources === undefined) return cwd ?? process.cwd();
  const folder = join(runFolder(), "fetched", name.replaceAll(/\W+/g, "_"));
  await mkdir(folder, { recursive: true });
  const filter = (path: string) => !path.includes("node_modules");
  for (const source of sources) {
    await cp(source, join(folder, source), { recursive: true, filter });
  }
  return join(folder, sources[0] ?? "");
}

/** A folder for this run, away from our own configuration; the test runner deletes it. */
export function runFolder(): string {
  return join(tmpdir(), `hallpass-${process.env.HALLPASS_TEST_RUN ?? process.pid}`);
}

/** Deletes what this process has fetched, if no test runner does. */
export async function forgetFetched(): Promise<void> {
  if (process.env.HALLPASS_TEST_RUN !== undefined || given) return;
  await rm(runFolder(), { recursive: true, force: true });
}

/** Returns the name of an example in another language. */
export function nameOf({ folder }: LanguageExample): string {
  return `tests/examples/${folder}`;
}

function ofExample({ folder, uses = [], install, language }: LanguageExample): Download {
  return {
    command: install ?? ["true"],
    sources: [folder, ...uses].map((name) => `tests/examples/${name}`),
    env: toolchain,
    skip: () => reasonToSkip(language),
  };
}

function runtime(name: string): Download {
  return { command: ["npx", "-y", name, "-e", "console.log('path=' + process.execPath)"] };
}

function each(
  names: readonly string[],
  downloadOf: (name: string) => Download,
): Record<string, Download> {
  return Object.fromEntries(names.map((name) => [name, downloadOf(name)]));
}

import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { filesIn } from "../files.ts";

/**
 * Tests that touch the platform, by the beginning of their path: bodies, cryptography, sockets,
 * files and databases. They run on Bun and Node as well, and with them one whole flow.
 */
export const platformTests: readonly string[] = [
  ...["http/", "resource/", "runtime/", "store/", "util/"],
  ...["program/administration/system_user", "program/operate/sqlite_backup"],
  ...["endpoints/malformed_key", "features/mtls/certificate", "features/user_import"],
  ...["flows/code_flow", "features/encryption_at_rest", "flows/hmac_id_token", "flows/signing_alg"],
  ...["issuer/configured_keys", "issuer/external_jwt", "issuer/native_signature"],
  ...["protocol/dpop_proof", "protocol/jwt_test", "protocol/pkce"],
];

/** Of `runtime/`, what runs in every run: sockets, bodies, the program, a store, the package. */
export const usualRuntimeTests: readonly string[] = [
  ...["serve_test", "closing_test", "starting_test", "serve_store_test", "package_test"],
].map((name) => `runtime/${name}`);

/** Files of tests, by the name of the suite that runs them. */
export type SuiteFiles = Map<string, string[]>;

/** Which tests a run has. */
export interface Selection {
  /** The folder of the tests. */
  folder: string;
  /**
   * Only files whose path contains one of them; none means all files. The path of a source selects
   * its own tests, and those that import it themselves or through one file.
   */
  words: readonly string[];
  /** Only these suites, with all that they can run; none means every suite. */
  only: readonly string[];
  release: boolean;
  /** What a release leaves to other days; undefined if that is nothing. */
  turn: Turn | undefined;
}

/**
 * What a release runs of what rarely differs: within twelve days, everything. Tests in `tests/once`
 * choose one of their own rows by the same day.
 */
export interface Turn {
  /** The number of the day since 1970. */
  day: number;
  /** What runs the programs of `runtime/` besides Deno, and a sixth of all that is in process. */
  runtime: "bun" | "node";
  /** Which sixth of the tests that do not touch the platform. */
  sixth: number;
}

/** Returns what a day since 1970 has to run. */
export function turnOf(day: number): Turn {
  return { day, runtime: day % 2 === 0 ? "bun" : "node", sixth: Math.floor(day / 2) % 6 };
}

/** What checks the types of a selection, which the others ignore; `deno task check` checks all. */
export const typeSuites: readonly string[] = ["types", "once/types"];

/** What runs tests besides Deno. */
const runtimes: readonly string[] = ["bun", "node"];

const isOnce = startsWithAny(["once/"]);
const isRuntime = startsWithAny(["runtime/"]);
const isOfPlatform = startsWithAny(platformTests);
const isUsual = (test: string) =>
  isRuntime(test) ? startsWithAny(usualRuntimeTests)(test) : !isOnce(test);

/** What takes longest begins first, so that nothing long is left at the end. */
const order = [
  ...typeSuites,
  ..."once/browser once/playground deno bun once/examples once/nodes deno/runtime node".split(" "),
  ..."once/package once/site once/crash once/without package".split(" "),
];

/** Returns the files of each part of a run. A release begins with the usual run, as it is. */
export function selectFiles(selection: Selection): SuiteFiles[] {
  const { folder, words, only, release, turn } = selection;
  const source = /^src\/(?:server\/)?(.*)\.tsx?$/;
  const sources = words.filter((word) => source.test(word));
  const chosen = new Set(sources.flatMap((word) => importersOf(word, ["src", folder])));
  const parts = words.map((word) => word.replace(source, "$1_"));
  const tests = filesIn(folder, /_test\.tsx?$/).filter((path) =>
    words.length === 0 || chosen.has(path) || parts.some((part) => path.includes(part))
  ).map((path) => relative(folder, path));
  const all: FindSuites = (test) =>
    release && only.length === 0 ? suitesToday(test, turn) : suitesOf(test, only);
  const usual: FindSuites = (test) =>
    isUsual(test) ? suitesOf(test).filter((suite) => suite !== "package") : [];
  const rest: FindSuites = (test) => all(test).filter((suite) => !usual(test).includes(suite));
  const ofOnly: FindSuites = (test) =>
    all(test).filter((suite) => only.includes(suite.replace(/\/.*/, "")));
  const part = (find: FindSuites) => groupBySuite(tests, find, folder);
  if (only.length > 0) return [part(ofOnly)];
  if (words.length > 0) {
    return [part((test) => [isOnce(test) ? "once/types" : "types", ...all(test)])];
  }
  return release ? [part(usual), part(rest)] : [part(usual)];
}

/** Returns the suites that run a test. */
type FindSuites = (test: string) => string[];

/** Some suites run everything in process, also if it does not touch the platform. */
function suitesOf(test: string, everythingOn: readonly string[] = []): string[] {
  if (isOnce(test)) return [test.split("/", 2).join("/")];
  // Nothing may disturb these, because they measure time or collect garbage.
  if (/_measured_test\.tsx?$/.test(test)) return ["deno/measured"];
  const others = runtimes.filter((suite) => isOfPlatform(test) || everythingOn.includes(suite));
  return [isRuntime(test) ? "deno/runtime" : "deno", ...others, "package"];
}

/** Returns the suites that run a test in a release. Programs start alike on both runtimes. */
function suitesToday(test: string, turn: Turn | undefined): string[] {
  if (!turn) return suitesOf(test, runtimes);
  const suites = suitesOf(test, sixthOf(test) === turn.sixth ? [turn.runtime] : []);
  if (isUsual(test) || !isRuntime(test)) return suites;
  return suites.filter((suite) => suite === turn.runtime || !runtimes.includes(suite));
}

/** Returns the sixth of a test. It depends on the path alone, so that a new test moves no other. */
function sixthOf(test: string): number {
  return [...test].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 6;
}

function groupBySuite(tests: readonly string[], find: FindSuites, folder: string): SuiteFiles {
  const rows = tests.flatMap((test) => find(test).map((suite) => [suite, join(folder, test)]));
  const suites = new Set([...order, ...rows.map(([suite = ""]) => suite)]);
  const filesOf = (suite: string) =>
    rows.filter(([name]) => name === suite).map(([, file = ""]) => file);
  return new Map([...suites].map((suite) => [suite, filesOf(suite)]));
}

function startsWithAny(beginnings: readonly string[]): (path: string) => boolean {
  return (path) => beginnings.some((beginning) => path.startsWith(beginning));
}

/** Returns the files of folders that import a file, or import one that does. */
function importersOf(source: string, folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) => filesIn(folder, /\.tsx?$/));
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  const importing = (wanted: readonly string[]) =>
    files.filter((file) => imports.get(file)?.some((target) => wanted.includes(target)));
  const direct = importing([resolve(source)]);
  return [...direct, ...importing(direct.map((file) => resolve(file)))];
}

/** Returns the absolute paths of what a file imports of ours, at once or later. */
export function importsOf(file: string): string[] {
  return [
    ...readFileSync(file, "utf8").matchAll(/(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/g),
  ]
    .map(([, target, loaded = ""]) => resolve(file, "..", target ?? loaded));
}

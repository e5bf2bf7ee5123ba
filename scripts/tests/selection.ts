import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Tests in process that touch the platform, by the beginning of their path: bodies, cryptography,
 * sockets, files and databases. They run on Bun and Node as well, and with them one whole flow.
 */
export const platformTests: readonly string[] = [
  ...["http/", "resource/", "store/", "util/"],
  ...["program/administration/system_user", "endpoints/malformed_key"],
  ...["flows/code_flow", "flows/encryption_at_rest", "flows/hmac_id_token", "flows/signing_alg"],
  ...["issuer/configured_keys", "issuer/external_jwt", "issuer/native_signature"],
  ...["protocol/dpop_proof", "protocol/jwt_test", "protocol/pkce"],
];

/** Of `runtime/`, what runs in every run: sockets, bodies, the program, a store, the package. */
export const usualRuntimeTests: readonly string[] = [
  ...["serve_test", "closing_test", "starting_test", "serve_store_test", "package_test"],
].map((name) => `runtime/${name}`);

/**
 * Where files of tests run: in process on Deno, alone there, `runtime/` on Deno, everything on Bun
 * and Node, against the package on Node, and `once/` on Deno.
 */
export const suiteNames = ["deno", "alone", "runtime", "bun", "node", "package", "once"] as const;

/** Files of tests, by the suite that runs them. */
export type SuiteFiles = Record<(typeof suiteNames)[number], string[]>;

/** Which tests a run has. */
export interface Selection {
  /** The folder of the tests. */
  folder: string;
  /** Only files whose path contains one of them; none means all files. */
  words: readonly string[];
  /** Only these suites, with all that they can run; none means every suite. */
  only: readonly string[];
  release: boolean;
  /** Of Bun and Node, the one on which a release runs everything in process. */
  turn: "bun" | "node";
}

/** Returns the files of each part of a run. A release begins with the usual run, as it is. */
export async function selectFiles(selection: Selection): Promise<SuiteFiles[]> {
  const { folder, words, only, release, turn } = selection;
  const entries = await readdir(folder, { recursive: true });
  const tests = entries.filter((entry) =>
    /_test\.tsx?$/.test(entry) && !entry.includes("node_modules") &&
    (words.length === 0 || words.some((word) => join(folder, entry).includes(word)))
  ).sort();
  const everythingOn = release ? [...only, turn] : only;
  const all = distribute(tests, folder, (suite) => everythingOn.includes(suite));
  if (words.length > 0 || only.length > 0) return [all];
  const usual = distribute(tests.filter(isUsual), folder, () => false);
  usual.package = [];
  return release ? [usual, without(all, usual)] : [usual];
}

/** Tests that nothing may disturb, because they measure time or collect garbage. */
const isAlone = (test: string) => /_alone_test\.tsx?$/.test(test);
const isOfPlatform = startsWithAny(platformTests);
const isUsualRuntime = startsWithAny(usualRuntimeTests);
const isOnce = startsWithAny(["once/"]);
const isRuntime = startsWithAny(["runtime/"]);
const isUsual = (test: string) => !isOnce(test) && (!isRuntime(test) || isUsualRuntime(test));

function distribute(
  tests: readonly string[],
  folder: string,
  hasEverything: (suite: string) => boolean,
): SuiteFiles {
  const inFolder = (files: string[]) => files.map((test) => join(folder, test));
  const runtime = tests.filter(isRuntime);
  const inProcess = tests.filter((test) => !isRuntime(test) && !isOnce(test) && !isAlone(test));
  const runsOn = (suite: string) => [
    ...inProcess.filter((test) => isOfPlatform(test) || hasEverything(suite)),
    ...runtime,
  ];
  return {
    deno: inFolder(inProcess),
    alone: inFolder(tests.filter(isAlone)),
    runtime: inFolder(runtime),
    bun: inFolder(runsOn("bun")),
    node: inFolder(runsOn("node")),
    package: inFolder([...inProcess, ...runtime]),
    once: inFolder(tests.filter(isOnce)),
  };
}

function without(all: SuiteFiles, usual: SuiteFiles): SuiteFiles {
  const rest = { ...all };
  for (const suite of suiteNames) {
    rest[suite] = all[suite].filter((file) => !usual[suite].includes(file));
  }
  return rest;
}

function startsWithAny(beginnings: readonly string[]): (path: string) => boolean {
  return (path) => beginnings.some((beginning) => path.startsWith(beginning));
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Tests that touch the platform, by the beginning of their path: bodies, cryptography, sockets,
 * files and databases. They run on Bun and Node as well, and with them one whole flow.
 */
export const platformTests: readonly string[] = [
  ...["http/", "resource/", "runtime/", "store/", "util/"],
  ...["program/administration/system_user", "program/operate/sqlite_backup"],
  "endpoints/malformed_key",
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
  /** Only files whose path contains one of them; none means all files. */
  words: readonly string[];
  /** Only these suites, with all that they can run; none means every suite. */
  only: readonly string[];
  release: boolean;
  /** Of Bun and Node, the one on which a release runs everything in process. */
  turn: "bun" | "node";
}

const isOnce = startsWithAny(["once/"]);
const isRuntime = startsWithAny(["runtime/"]);
const isOfPlatform = startsWithAny(platformTests);
const isUsualRuntime = startsWithAny(usualRuntimeTests);
/** Tests that nothing may disturb, because they measure time or collect garbage. */
const isMeasured = (test: string) => /_measured_test\.tsx?$/.test(test);
const isInProcess = (test: string) => !isOnce(test) && !isRuntime(test);
const isUsual = (test: string) => isInProcess(test) || isUsualRuntime(test);

/** What each suite has of the tests that share their process. */
const suites: Readonly<Record<string, (test: string) => boolean>> = {
  deno: isInProcess,
  "deno/runtime": isRuntime,
  bun: isOfPlatform,
  node: isOfPlatform,
  package: () => true,
};

/** Suites that often wait, and so begin first. */
const waitingSuites = ["once/browser", "once/nodes"];

/** Returns the files of each part of a run. A release begins with the usual run, as it is. */
export async function selectFiles(selection: Selection): Promise<SuiteFiles[]> {
  const { folder, words, only, release, turn } = selection;
  const entries = await readdir(folder, { recursive: true });
  const tests = entries.filter((entry) =>
    /_test\.tsx?$/.test(entry) && !entry.includes("node_modules") &&
    (words.length === 0 || words.some((word) => join(folder, entry).includes(word)))
  ).sort();
  const all = distribute(tests, release ? [...only, turn] : only, folder);
  if (only.length > 0) return [without(all, (suite) => !only.includes(suite.split("/", 1)[0]!))];
  if (words.length > 0) return [all];
  const usual = distribute(tests.filter(isUsual), [], folder);
  usual.delete("package");
  return release
    ? [usual, without(all, (suite, file) => usual.get(suite)?.includes(file))]
    : [usual];
}

/** Some suites run everything in process, also if it does not touch the platform. */
function distribute(
  tests: readonly string[],
  everythingOn: readonly string[],
  folder: string,
): SuiteFiles {
  const isIn = (suite: string) => (test: string) => {
    if (isOnce(test)) return test.startsWith(`${suite}/`);
    if (isMeasured(test)) return suite === "deno/measured";
    return suites[suite]?.(test) || everythingOn.includes(suite) && isInProcess(test);
  };
  const once = tests.filter(isOnce).map((test) => test.split("/", 2).join("/"));
  const names = [...waitingSuites, ...Object.keys(suites), ...once, "deno/measured"];
  return new Map(names.map((suite) => {
    const files = tests.filter(isIn(suite)).map((test) => join(folder, test));
    return [suite, files];
  }));
}

function without(
  all: SuiteFiles,
  isGone: (suite: string, file: string) => boolean | undefined,
): SuiteFiles {
  return new Map([...all].map(([suite, files]) => [
    suite,
    files.filter((file) => !isGone(suite, file)),
  ]));
}

function startsWithAny(beginnings: readonly string[]): (path: string) => boolean {
  return (path) => beginnings.some((beginning) => path.startsWith(beginning));
}

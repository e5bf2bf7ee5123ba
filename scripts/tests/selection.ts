import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Tests that touch the platform, by the beginning of their path: sockets, processes, files,
 * databases, bodies, cryptography and the library that other programs load. They run on Bun and
 * Node as well, and with them one whole flow.
 */
export const platformTests: readonly string[] = [
  ...["conformance/", "http/", "resource/", "runtime/", "store/", "util/"],
  ...["program/administration/system_user", "endpoints/malformed_key"],
  ...["flows/code_flow", "flows/encryption_at_rest", "flows/hmac_id_token", "flows/signing_alg"],
  ...["issuer/configured_keys", "issuer/external_jwt", "issuer/native_signature"],
  ...["lab/kit_test", "lab/options", "lab/path_hints", "lab/unopened_claims"],
  ...["protocol/dpop_proof", "protocol/jwt_test", "protocol/pkce"],
];

/** Tests of commands, which start a process each. Their code is the same on each runtime. */
const commandTests: readonly string[] = ["runtime/administration", "runtime/check_command"];

/** Tests that take longer than all others together: not for "before I push". */
const slowTests: readonly string[] = [
  ...["conformance/", "model/", "once/", "runtime/"],
  ...[
    "program/operate/operation_warnings",
    "program/commands/terminal_commands",
    "issuer/configured_keys",
  ],
  ...["lab/authorized_follow_up", "lab/kit_test", "store/sqlite_backup"],
  ...["flows/admin_bad_input", "flows/advertised", "flows/concurrency", "flows/key_rotation"],
  ...["flows/secrets", "flows/sign_in", "flows/storage", "flows/stored_document"],
  ...["flows/token_kinds", "flows/user_claims"],
];

/** Which tests a run has. */
export interface Selection {
  /** The folder of the tests. */
  folder: string;
  /** Only files whose path contains one of them; none means all files. */
  words: readonly string[];
  scope: Scope;
}

/**
 * - `usual`: everything on Deno, what touches the platform on Bun and Node.
 * - `all`: everything that runs in process on each runtime.
 * - `rest`: what `all` has and `usual` lacks.
 * - `quick`: on Deno, what is fast.
 */
export type Scope = "usual" | "all" | "rest" | "quick";

/** The files of a run, by where they run. */
export interface SelectedFiles {
  deno: string[];
  /** On Bun and Node. */
  elsewhere: string[];
  once: string[];
}

/** Finds the files of a run. */
export async function selectFiles({ folder, words, scope }: Selection): Promise<SelectedFiles> {
  const entries = await readdir(folder, { recursive: true });
  const tests = entries.filter((entry) =>
    /_test\.tsx?$/.test(entry) && !entry.includes("node_modules")
  ).sort();
  const named = tests.filter((test) =>
    words.length === 0 || words.some((word) => join(folder, test).includes(word))
  );
  const inProcess = named.filter((test) => !test.startsWith("once/"));
  const isCommand = startsWithAny(commandTests);
  const isOfPlatform = startsWithAny(platformTests);
  const isPlatform = (test: string) => isOfPlatform(test) && !isCommand(test);
  const isSlow = startsWithAny(slowTests);
  const inFolder = (files: string[]) => files.map((file) => join(folder, file));
  const once = inFolder(named.filter((test) => test.startsWith("once/")));
  switch (scope) {
    case "usual":
      return { deno: inFolder(inProcess), elsewhere: inFolder(inProcess.filter(isPlatform)), once };
    case "all":
      return { deno: inFolder(inProcess), elsewhere: inFolder(inProcess), once };
    case "rest":
      return {
        deno: [],
        elsewhere: inFolder(inProcess.filter((one) => !isPlatform(one))),
        once: [],
      };
    case "quick":
      return { deno: inFolder(inProcess.filter((one) => !isSlow(one))), elsewhere: [], once: [] };
  }
}

function startsWithAny(beginnings: readonly string[]): (path: string) => boolean {
  return (path) => beginnings.some((beginning) => path.startsWith(beginning));
}

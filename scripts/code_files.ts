import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { testClient } from "../tests/support/test_client.ts";
import { bundle } from "./bundle.ts";

/** One file of the package, as esbuild splits the code. All are in one folder. */
export interface CodeFile {
  name: string;
  text: string;
  exports: readonly string[];
  /** The files that it loads at once. */
  imports: readonly string[];
  /** The files that it loads when they are used. */
  importsLater: readonly string[];
  /**
   * Whether it is what an import of the package names, the program, what is loaded when it is used,
   * or a chunk, from which only other files import.
   */
  kind: "entry" | "program" | "later" | "chunk";
}

/** What a lab for tests first needs a file for: its first token, a login, or neither. */
export type Need = "token" | "login" | "rare";

/** What code that tests loads of the package. */
type Testing = Pick<typeof import("../src/lab/testing/mod.ts"), "hallpass">;

/** An import from another file, as esbuild writes it. */
const importStatement = /^import \{([^}]*)\} from "\.\/([^"]*)";$/gm;

/** Returns the names that files import from each chunk. */
export function namesUsed(files: readonly CodeFile[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const statements = files.flatMap(({ text }) => [...text.matchAll(importStatement)]);
  for (const [, list = "", file = ""] of statements) {
    const names = used.get(file) ?? new Set();
    used.set(file, names);
    for (const name of list.split(",")) names.add(name.trim().replace(/ as .*/, ""));
  }
  return used;
}

/**
 * Finds what files are needed for: each is loaded when it is first used, a lab issues a token, and
 * a user signs in. A file that an entry exports is needed at once, and a file that is not among
 * those returned is rare.
 */
export async function findNeeds(
  files: readonly CodeFile[],
  work: string,
): Promise<ReadonlyMap<string, Need>> {
  const folder = join(work, "each");
  const library = files.filter(({ kind }) => kind !== "program");
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of library) writeFileSync(join(folder, name), text);
  const loaded = join(folder, "when_used");
  bundle({
    entryPoints: library.map(({ name }) => join(folder, name)),
    outdir: loaded,
    bundle: false,
    alias: {},
    format: "cjs",
    supported: { "dynamic-import": false },
    logOverride: { "commonjs-variable-in-esm": "silent" },
  });
  for (const { name } of library) {
    const path = join(loaded, name);
    writeFileSync(path, requireWhenUsed(readFileSync(path, "utf8"), ".*"));
  }
  writeFileSync(join(loaded, "package.json"), "{}");

  const require = createRequire(join(loaded, "start.js"));
  const needs = new Map<string, Need>();
  const note = (need: Need) => {
    const paths = Object.keys(require.cache).map((path) => basename(path));
    for (const path of paths) if (!needs.has(path)) needs.set(path, need);
  };
  for (const { name, kind } of library) {
    if (kind === "entry") Object.values(require(join(loaded, name)));
  }
  const { hallpass }: Testing = require(join(loaded, "testing.js"));
  await using lab = await hallpass();
  await lab.mint({ sub: "alice" });
  note("token");
  await logIn(lab);
  note("login");
  return needs;
}

/**
 * Loads the files whose names match when something of them is first used. V8 reads every function
 * of a file before the file runs, which is a third of the time until a first token.
 */
export function requireWhenUsed(text: string, names: string): string {
  return text.replace(
    new RegExp(`(?<=var |,)([\\w$]+)( ?= ?)(require\\("\\./${names}"\\))`, "g"),
    "$1$2new Proxy({},{get:(target,name)=>($1=$3)[name]})",
  );
}

async function logIn(lab: Awaited<ReturnType<Testing["hallpass"]>>): Promise<void> {
  const client = testClient();
  const { jwks_uri } = await client.metadata(lab);
  const { access_token } = await client.tokens(lab);
  await client.userinfo(lab, access_token);
  await lab.fetch(new Request(jwks_uri));
  const { assertClean }: { fetch: unknown; assertClean?(): void } = lab;
  assertClean?.();
}

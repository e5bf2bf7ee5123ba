import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { succeed } from "./child.ts";
import { fetched } from "./downloads.ts";

/** A file of code, as Rolldown splits it. All are in one folder. */
export interface CodeFile {
  name: string;
  text: string;
  exports: readonly string[];
  /** The files that it loads at once. */
  imports: readonly string[];
  /** The files that it loads when they are used. */
  importsLater: readonly string[];
  /** The paths of what is in it: nothing, if it only passes on what others have. */
  modules: readonly string[];
}

/** What is split, and for what. */
export interface SplitOptions {
  /** Where the code begins, by the names of the files. */
  input: Record<string, string>;
  platform: "node" | "browser";
  target: string;
  /** The patterns of the names of modules that others have. */
  external: readonly string[];
  /** The pattern of files that are beside the folder of the code. */
  beside?: string;
  /** The code of modules that are in no file, by their names. */
  virtual?: Record<string, string>;
  /** What the code serves in place of files of `static/`, by their paths. */
  texts?: Record<string, string>;
  minify?: boolean;
}

let count = 0;

/**
 * Splits code into files: one for each name in `groups`, which has names by the paths of modules,
 * and what Rolldown makes of the others. Without `groups`, each module has a file of its own,
 * without what is not used of it.
 */
export async function splitCode(
  { beside = "$^", virtual = {}, texts = {}, minify = false, ...options }: SplitOptions,
  groups?: Readonly<Record<string, string>>,
): Promise<CodeFile[]> {
  const folder = await fetched("scripts/rolldown");
  const work = join(process.cwd(), ".build", `split-${process.pid}-${count++}`);
  const [given, report] = [join(work, "given.json"), join(work, "files.json")];
  try {
    await mkdir(work, { recursive: true });
    const all = { ...options, beside, virtual, texts, minify, groups };
    await writeFile(given, JSON.stringify(all));
    await succeed(["node", join(folder, "split.mjs"), given, report]);
    return JSON.parse(await readFile(report, "utf8"));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

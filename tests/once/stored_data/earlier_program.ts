import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "../../../scripts/bundle.ts";
import { succeed } from "../../support/package.ts";

/** The commit before the first one whose stored data had to survive. */
export const earlierCommit = "12efe4c";

/** Why the program of an earlier version cannot run, or false if it can. */
export const earlierMissing: string | false =
  spawnSync("git", ["cat-file", "-e", `${earlierCommit}^{commit}`]).status === 0
    ? false
    : `the history lacks the commit ${earlierCommit}: git fetch --unshallow`;

/** Makes the program of the earlier version in a folder of ours, and returns the path. */
export async function bundleEarlierProgram(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const archive = join(folder, "earlier.tar");
  const parts = ["src", "static", "deno.json"];
  await succeed(["git", "archive", "--output", archive, earlierCommit, ...parts], process.cwd());
  await succeed(["tar", "xf", archive, "-C", folder], process.cwd());
  const outfile = join(folder, "main.mjs");
  bundle({
    entryPoints: [join(folder, "src/main.ts")],
    outfile,
    external: [...optionalPackages],
  });
  return outfile;
}

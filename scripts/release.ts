/**
 * Releases a version: says what is missing, prepares its commit and tag, and makes what the workflow
 * uploads. A rehearsal does all of it in a copy of the last commit, with registries on this machine.
 *
 *   deno task release --check             what is missing?
 *   deno task release --rehearse          all but the upload
 *   deno task release --prepare VERSION   commits and tags it
 *   deno task release [FOLDER]            makes dist/release, unless something is missing
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { succeed } from "./child.ts";
import { rehearse } from "./rehearsal/rehearse.ts";
import { prepareRelease } from "./release/prepare_release.ts";
import { forPerson, missingFor, readSituation } from "./release/requirements.ts";

const { values, positionals: [folder = "dist/release"] } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean", default: false },
    rehearse: { type: "boolean", default: false },
    prepare: { type: "string" },
  },
});

if (values.rehearse) process.exitCode = await rehearse();
else if (values.prepare !== undefined) await prepare(values.prepare);
else await check() && !values.check && await make();

async function prepare(version: string): Promise<void> {
  if (!stopFor(version, await prepareRelease(version, new Date()))) {
    console.log(
      `Version ${version} is committed and tagged. Push it: git push origin HEAD v${version}`,
    );
  }
}

/** Prints what is missing. Returns whether that is nothing. */
async function check(): Promise<boolean> {
  const situation = await readSituation();
  const isMissing = stopFor(situation.version, missingFor(situation));
  if (!isMissing) console.log(`Nothing is missing for ${situation.version}.`);
  const list = forPerson.map((each) => `  - ${each}\n`).join("");
  console.log(`What only a person can see, once for all versions:\n${list}`);
  return !isMissing;
}

function stopFor(version: string, missing: readonly string[]): boolean {
  if (missing.length === 0) return false;
  const list = missing.map((each) => `  - ${each}\n`).join("");
  console.error(`Cannot release ${version}: ${missing.length} missing\n${list}`);
  process.exitCode = 1;
  return true;
}

async function make(): Promise<void> {
  const script = ["scripts/release/make_release.ts", folder];
  console.log(await succeed([process.execPath, "run", "--allow-all", ...script]));
}

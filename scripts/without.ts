/**
 * Shows that features can be deleted: copies the project, deletes their folders and their lines in
 * lists, with the features that need them, and then generates files, checks the types of all that
 * deno.json exports, parses what it changed and runs the tests of the server. It prints the files
 * that no entry point reaches any more.
 *
 *   deno task without NAME … [--groups N] [--only WORD,…] [--keep]
 *
 * A feature of the lab may be named lab/NAME, one of the program program/NAME; if the server has none
 * of that name, what runs are the tests of the lab and of the program. `server`, `lab` and `program`
 * are all features of a root.
 * `playground` and `compat` are no features, and in no list: their folders, files, task and exports
 * go. With them alone, the types of the scripts are checked, too.
 * Named features are deleted together. With --groups, in about N runs, where as many as there are
 * features show each by itself: a group that fails is split in halves until the feature is found.
 * Without a NAME, it takes all features.
 * With --only, it runs the tests whose path contains a WORD; with --keep, the copy stays.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { runCommand } from "./child.ts";
import { copyProject } from "./mutants/project_copy.ts";
import { deleteFeature, withDependents } from "./without/delete_feature.ts";
import { deleteLeaf, leaves } from "./without/delete_leaf.ts";
import { entryPoints, parseProblems, unreached } from "./without/leftovers.ts";
import { findFailing, type Group, planGroups } from "./without/plan.ts";

/** The folders with the tests of the server. */
const serverTests = [
  ...["config", "conformance", "endpoints", "features", "flows", "http", "issuer", "pages"],
  ...["protocol", "store", "util"],
].map((name) => `tests/${name}/`);

/** The folders with tests of what has a lab: a feature of it may be missing in each. */
const labTests = ["config", "endpoints", "features", "flows", "lab", "program", "runtime"]
  .map((name) => `tests/${name}/`);

type Step = readonly [what: string, args: readonly string[]];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    groups: { type: "string" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});

const ofServer = readdirSync("src/server/features");
/** What the lab has; beside these, it has parts of features of the server. */
const ofLab = readdirSync("src/lab/features").filter((name) =>
  !ofServer.includes(name) || readdirSync(`src/lab/features/${name}`).includes("feature.ts")
);
/** What only the program has; beside these, it has parts of other features. */
const ofProgram = readdirSync("src/program/features").filter((name) =>
  ![ofServer, readdirSync("src/lab/features")].flat().includes(name)
);
const roots: Readonly<Record<string, readonly string[]>> = {
  server: ofServer,
  lab: ofLab,
  program: ofProgram,
};
const features = Object.values(roots).flat();
const everything = [...features, ...leaves.keys()];
process.exitCode = await main();

async function main(): Promise<number> {
  const given = positionals.map((name) => name.replace(/^(?:lab|program)\//, ""));
  const names = given.length === 0 && values.groups !== undefined
    ? everything
    : given.flatMap((name) => roots[name] ?? [name]);
  if (names.length === 0 || names.some((name) => !everything.includes(name))) {
    console.error(`Name one of these features, or several: ${everything.join(", ")}`);
    console.error("Or name server, lab or program for all of theirs.");
    return 2;
  }
  const failing: string[] = [];
  for (const group of await groupsOf(names)) failing.push(...await findFailing(group, tryWithout));
  if (failing.length > 0) console.log(`Cannot be deleted: ${failing.join(", ")}`);
  return failing.length === 0 ? 0 : 1;
}

async function groupsOf(names: readonly string[]): Promise<Group[]> {
  if (values.groups === undefined) return [names];
  const dependents = new Map(
    await Promise.all(
      names.map(async (name) => [name, await withDependents(".", [name])] as const),
    ),
  );
  const kinds = [
    names.filter((name) => ofServer.includes(name)),
    names.filter((name) => !ofServer.includes(name) && !leaves.has(name)),
    names.filter((name) => leaves.has(name)),
  ];
  return planGroups(kinds, dependents, Number(values.groups));
}

async function tryWithout(names: readonly string[]): Promise<boolean> {
  const { folder, remove } = await copyProject();
  try {
    return await tryIn(folder, names);
  } finally {
    if (values.keep) console.log(`The copy is ${folder}.`);
    else await remove();
  }
}

async function tryIn(folder: string, names: readonly string[]): Promise<boolean> {
  const changed: string[] = [];
  const unreachedBefore = unreached(folder);
  let succeeded = true;
  console.log(`Without ${names.join(", ")}`);
  // What needs a feature goes before it: its files would be named as users of what is gone.
  const ofRoots = names.filter((name) => !leaves.has(name));
  const withTheirs = await withDependents(folder, ofRoots);
  for (const name of withTheirs.toReversed()) {
    const { lines, lists, problems } = await deleteFeature(folder, name);
    const inLists = lists.map(([file, count]) => `${file} ${count}`).join(", ");
    console.log(`${name}: ${lines} lines in its folders; in lists: ${inLists || "none"}`);
    for (const problem of problems) console.log(`NAMED  ${problem}`);
    succeeded &&= problems.length === 0;
    changed.push(...lists.map(([file]) => join(folder, file)));
  }
  for (const [leaf, needed] of leaves) {
    if (!names.includes(leaf) && !needed.some((name) => withTheirs.includes(name))) continue;
    console.log(`${leaf}: ${(await deleteLeaf(folder, leaf)).join(", ")}`);
  }
  const unparsed = parseProblems(changed);
  for (const problem of unparsed) console.log(`FAILED ${problem}`);
  succeeded &&= unparsed.length === 0;
  for (const file of unreached(folder)) {
    if (!unreachedBefore.includes(file)) console.log(`UNUSED ${file}: no entry point reaches it`);
  }
  // The tests of the lab use most features of the server, and are no tests of them.
  const tests = names.some((name) => ofServer.includes(name))
    ? ["tests/core_alone_test.ts", ...serverTests]
    : labTests;
  const words = values.only?.split(",") ?? tests;
  // Scripts name the types of features, and leave out at run time what one of them had.
  const ofScripts: Step[] = [["types of the scripts", ["check", "-q", "scripts"]]];
  const steps: readonly Step[] = [
    ["generates", ["task", "generate"]],
    ["types of the entry points", ["check", "-q", ...entryPoints(folder)]],
    ...ofRoots.length === 0 ? ofScripts : [],
    ["tests", ["run", "--allow-all", "scripts/run_tests.ts", "--only", "deno", ...words]],
  ];
  for (const [what, args] of steps) {
    const started = performance.now();
    const { code, output } = await runCommand([process.execPath, ...args], {
      cwd: folder,
      timeout: 60 * 60_000,
      env: { NO_COLOR: "1", HALLPASS_TEST_WITHOUT: names.join(",") },
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${what} (${seconds} s)`);
    if (code !== 0) console.log(output);
    succeeded &&= code === 0;
  }
  return succeeded;
}

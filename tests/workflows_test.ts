import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const folder = ".github/workflows";

/** What makes or uploads a release, and so decides what its users run. */
const releasing = [
  `${folder}/release.yml`,
  `${folder}/pages.yml`,
  "scripts/Dockerfile",
  "scripts/declarations.ts",
];

const actions = readdirSync(folder).flatMap((name) =>
  [...readFileSync(`${folder}/${name}`, "utf8").matchAll(/\buses: *(.+)$/gm)]
    .map(([, action = ""]) => ({ name, action }))
);

/** Returns the packages that a text runs from the npm registry, by npx. */
function packagesIn(text: string): string[] {
  const commands = text.replaceAll(/[",]+/g, " ").matchAll(/\bnpx +(?:-\S+ +)+(\S+)/g);
  return [...commands].map(([, name = ""]) => name);
}

describe("The workflows", () => {
  it("S19: name each action by the hash of a commit, with its version beside it", () => {
    assert(actions.length >= 10);
    const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    assertEquals(actions.filter(({ action }) => !pinned.test(action)), []);
  });

  it("S19: name each action by one hash only", () => {
    const repositories = new Set(actions.map(({ action }) => action.split("@")[0]));
    assertEquals(new Set(actions.map(({ action }) => action)).size, repositories.size);
  });

  it("S19: run only exact versions of packages where a release is made", () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8"));
    const texts = releasing.map((path) => readFileSync(path, "utf8"));
    const packages = [...texts, tasks.compile.command, tasks.release.command].flatMap(packagesIn);
    assert(packages.length >= 5, packages.join());
    assertEquals(packages.filter((name) => !/@\d+\.\d+\.\d+$/.test(name)), []);
  });
});

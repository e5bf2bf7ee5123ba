import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const folder = ".github/workflows";

/** What makes or uploads a release, and so decides what its users run. */
const releasing = [
  `${folder}/release.yml`,
  `${folder}/pages.yml`,
  "scripts/Dockerfile",
  "scripts/child.ts",
];

const workflows = readdirSync(folder)
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") }));

const actions = workflows.flatMap(({ name, text }) =>
  [...text.matchAll(/\buses: *(.+)$/gm)].map(([, action = ""]) => ({ name, action }))
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

  it("leave no token where the code of packages runs", () => {
    for (const { name, text } of workflows) {
      const checkouts = [...text.matchAll(/^ +- uses: actions\/checkout@.*\n(.*\n.*)/gm)];
      for (const [, next = ""] of checkouts) {
        assertMatch(next, /^ +with:\n +persist-credentials: false$/, name);
      }
    }
  });

  it("build nothing in a job that may write to the repository", () => {
    const writing = workflows.flatMap(({ name, text }) => {
      const [, start = "", jobs = ""] = /^(.*)^jobs:\n(.*)$/ms.exec(text) ?? [];
      // A permission of the workflow is one of each of its jobs.
      assertEquals(start.includes(": write"), false, name);
      return jobs.split(/^(?= {2}\w+:$)/m).filter((job) => job.includes("contents: write"));
    });
    assertEquals(writing.length, 2);
    for (const job of writing) assertEquals(/npm|npx|deno|actions\/checkout/.test(job), false, job);
  });
});

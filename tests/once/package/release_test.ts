import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { succeed } from "../../../scripts/child.ts";
import { inFolder } from "../../support/folder.ts";
import { runProgram } from "../../support/program.ts";

const isArm = process.arch === "arm64";
const target = `${process.platform}-${isArm ? "arm64" : "x64"}`;

/** Makes a release for this machine alone, and returns its checksums. */
async function release(folder: string): Promise<string> {
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  const script = ["run", "--cached-only", "--allow-all", "--no-check", "scripts/release.ts"];
  await succeed([deno, ...script, "--target", target, folder], process.cwd());
  return await readFile(join(folder, "SHA256SUMS"), "utf8");
}

describe("deno task release", () => {
  it("makes the same package and the same binary twice, with checksums", async () => {
    await inFolder(async (folder) => {
      const first = await release(join(folder, "first"));
      assertMatch(first, /^[0-9a-f]{64} {2}hallpass-0\.1\.0\.tgz$/m);
      assertMatch(first, new RegExp(`^[0-9a-f]{64} {2}hallpass-${target}$`, "m"));
      assertEquals(await release(join(folder, "second")), first);
      assertEquals((await readdir(join(folder, "first"))).sort(), [
        "SHA256SUMS",
        "hallpass-0.1.0.tgz",
        `hallpass-${target}`,
      ]);
      await succeed(["sha256sum", "--check", "SHA256SUMS"], join(folder, "second"));
      const command = [join(folder, "first", `hallpass-${target}`)];
      const { code, output } = await runProgram(["--version"], {}, "", command);
      assertEquals([code, output.trim()], [0, "hallpass 0.1.0"]);
    });
  });
});

describe("The release workflow", () => {
  interface Step {
    run?: string;
    uses?: string;
  }

  it("runs tasks that exist, and uploads nothing before the tests have passed", async () => {
    const { jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    const { tasks } = JSON.parse(await readFile("deno.json", "utf8"));
    const { test, build, ...uploads } = jobs;
    const runsOf = ({ steps }: { steps: Step[] }) => steps.flatMap(({ run }) => run ?? []);
    assertEquals(runsOf(test), [".ci/run"]);
    assertEquals(build.needs, "test");
    for (const line of runsOf(build)) {
      const [, task] = /deno task (\S+)/.exec(line) ?? [];
      assert(task === undefined || task in tasks, line);
    }
    for (const [name, { needs }] of Object.entries<{ needs?: string }>(uploads)) {
      assertEquals([name, needs], [name, "build"]);
    }
  });

  it("may do with the repository only what a job needs", async () => {
    const { permissions, jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    assertEquals(permissions, { contents: "read" });
    assertEquals(jobs.npm.permissions, { contents: "read", "id-token": "write" });
    assertEquals([jobs.test.permissions, jobs.build.permissions], [undefined, undefined]);
  });

  it("publishes to npm with provenance", async () => {
    const { jobs } = parse(await readFile(".github/workflows/release.yml", "utf8"));
    assert(jobs.npm.steps.some(({ run }: Step) => run?.includes("npm publish --provenance")));
  });
});

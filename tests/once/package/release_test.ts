import { assert, assertEquals } from "@std/assert";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { compile, succeed } from "../../../scripts/child.ts";
import { inFolder } from "../../support/folder.ts";
import { packPackage } from "../../support/package.ts";
import { runProgram } from "../../support/program.ts";

const isArm = process.arch === "arm64";
const target = `${process.platform}-${isArm ? "arm64" : "x64"}`;

/** Makes a release for this machine alone. */
async function release(folder: string): Promise<void> {
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  const script = ["run", "--cached-only", "--allow-all", "--no-check", "scripts/release.ts"];
  await succeed([deno, ...script, "--target", target, folder], process.cwd());
}

describe("deno task release", () => {
  it("makes the same package and the same binary as any other build, with checksums", async () => {
    await inFolder(async (folder) => {
      const [made, again] = [join(folder, "release"), join(folder, "again")];
      await release(made);
      const [archive, binary] = ["hallpass-0.1.0.tgz", `hallpass-${target}`];
      assertEquals((await readdir(made)).sort(), ["SHA256SUMS", archive, binary]);
      // Each file is listed, and has the same bytes where it was built by itself.
      const sums = await readFile(join(made, "SHA256SUMS"), "utf8");
      const listed = [...sums.matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name]) => name);
      assertEquals(listed, [archive, binary]);
      await mkdir(again);
      await copyFile(await packPackage(), join(again, archive));
      await compile(join(again, binary), "src/main.ts", [`--target=bun-${target}`]);
      for (const built of [made, again]) {
        await succeed(["sha256sum", "--check", join(made, "SHA256SUMS")], built);
      }
      const command = [join(made, binary)];
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

import { assertEquals, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { differences, problemsOf } from "../../../scripts/verdict.ts";

const green = `it("is fine", () => {});`;

/** Ways in which a suite can die. On most of them some runtime's own runner would report success. */
const deaths: Record<string, string> = {
  "a failing assertion": `it("fails", () => { throw new Error("no"); });`,
  "a throwing hook":
    `describe("g", () => { afterEach(() => { throw new Error("no"); }); it("is fine", () => {}); });`,
  "a late rejection":
    `it("is fine", () => { setTimeout(() => Promise.reject(new Error("no")), 0); }); it("waits", () => new Promise((resolve) => setTimeout(resolve, 100)));`,
  "a top-level throw": `${green} throw new Error("no");`,
  "a rejected top-level await": `${green} await Promise.reject(new Error("no"));`,
  "process.exit(0)": `${green} it("leaves", () => process.exit(0)); it("never runs", () => {});`,
  "an endless loop": `it("never ends", () => { while (true); });`,
  "an async describe":
    `describe("g", async () => { await Promise.resolve(); it("is fine", () => {}); throw new Error("no"); });`,
  "a file without tests": "",
};

/** Runs our runner on a suite of one green file and one other, on one runtime. */
async function runSuite(
  runtime: string,
  content: string,
): Promise<{ code: number; output: string }> {
  const folder = join(
    ".build",
    `runner-${process.pid}-${Math.floor(performance.now() * 1000)}`,
  );
  const tests = join(folder, "tests");
  await mkdir(tests, { recursive: true });
  await writeFile(
    join(tests, "first_test.ts"),
    `import { it } from "node:test";\n${green}\n`,
  );
  await writeFile(
    join(tests, "second_test.ts"),
    `import { describe, it, afterEach } from "node:test";\nimport process from "node:process";\nvoid [describe, it, afterEach, process];\n${content}\n`,
  );
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  const args = [
    "run",
    "--allow-all",
    "--no-check",
    "scripts/run_tests.ts",
    "--only",
    runtime,
    "--folder",
    tests,
    "--deadline",
    "5",
  ];
  const ended = await new Promise<{ code: number; output: string }>(
    (resolve) => {
      // Under this variable Node would skip every file, and be content.
      execFile(
        deno,
        args,
        { env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
        (cause, stdout, stderr) =>
          resolve({
            code: cause ? Number(cause.code) : 0,
            output: stdout + stderr,
          }),
      );
    },
  );
  await rm(folder, { recursive: true });
  return ended;
}

/** The same on all three runtimes at once. */
function runEverywhere(
  content: string,
): Promise<Array<{ code: number; output: string }>> {
  return Promise.all(
    ["deno", "bun", "node"].map((runtime) => runSuite(runtime, content)),
  );
}

describe("The test runner", () => {
  it("is green for a suite that passes", async () => {
    for (const { code, output } of await runEverywhere(green)) {
      assertEquals(code, 0, output);
      assertMatch(
        output.trim().split("\n").at(-1)!,
        /^2 passed, 0 failed, 0 skipped$/,
      );
    }
  });

  for (const [death, content] of Object.entries(deaths)) {
    it(`is red on every runtime for ${death}`, async () => {
      for (const { code, output } of await runEverywhere(content)) {
        assertEquals(code, 1, output);
        assertMatch(output, /\d+ passed, [1-9]\d* failed, \d+ skipped/);
      }
    });
  }
});

describe("The verdict on a run", () => {
  const ended = { code: 0, output: "", timedOut: false };
  const passed = {
    file: "tests/a_test.ts",
    name: "a",
    outcome: "passed",
    message: "",
  } as const;

  it("is clean when every file ran and nothing failed", () => {
    assertEquals(
      problemsOf({ runtime: "bun", ended, cases: [passed] }, [
        "tests/a_test.ts",
      ]),
      [],
    );
  });

  it("is not clean without a report, after a deadline, or with an exit code that nothing explains", () => {
    assertEquals(problemsOf({ runtime: "bun", ended }, []).length, 1);
    assertEquals(
      problemsOf({
        runtime: "bun",
        ended: { ...ended, timedOut: true },
        cases: [passed],
      }, [])
        .length,
      1,
    );
    assertEquals(
      problemsOf({
        runtime: "bun",
        ended: { ...ended, code: 1 },
        cases: [passed],
      }, []).length,
      1,
    );
  });

  it("is not clean when the runtimes ran different numbers of tests", () => {
    const runs = [{ runtime: "bun", ended, cases: [passed] }, {
      runtime: "node",
      ended,
      cases: [passed, passed],
    }];
    assertEquals(differences(runs), [
      "the runtimes ran different numbers of tests: bun 1, node 2",
    ]);
  });
});

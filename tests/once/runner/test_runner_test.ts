import { assert, assertEquals, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { readJunit, type TestCase } from "../../../scripts/junit.ts";
import { createProgress } from "../../../scripts/test_progress.ts";
import { differences, problemsOf } from "../../../scripts/verdict.ts";

const green = `it("passes", () => {});`;

/** Ways in which a suite can die. For most of them, some runtime's own runner reports success. */
const deaths: Record<string, string> = {
  "a failing assertion": `it("fails", () => { throw new Error("no"); });`,
  "a throwing hook":
    `describe("g", () => { afterEach(() => { throw new Error("no"); }); it("passes", () => {}); });`,
  "a late rejection":
    `it("passes", () => { setTimeout(() => Promise.reject(new Error("no")), 0); }); it("waits", () => new Promise((resolve) => setTimeout(resolve, 100)));`,
  "a top-level throw": `${green} throw new Error("no");`,
  "a rejected top-level await": `${green} await Promise.reject(new Error("no"));`,
  "process.exit(0)": `${green} it("exits", () => process.exit(0)); it("never runs", () => {});`,
  "an endless loop": `it("never ends", () => { while (true); });`,
  "an async describe":
    `describe("g", async () => { await Promise.resolve(); it("passes", () => {}); throw new Error("no"); });`,
  "a file without tests": "",
};

interface RunnerResult {
  code: number;
  output: string;
}

/** Runs our runner on one runtime, on a green file and a file with the given content. */
async function runSuite(runtime: string, content: string): Promise<RunnerResult> {
  const folder = join(".build", `runner-${process.pid}-${Math.floor(performance.now() * 1000)}`);
  const tests = join(folder, "tests");
  await mkdir(tests, { recursive: true });
  await writeFile(join(tests, "first_test.ts"), `import { it } from "node:test";\n${green}\n`);
  await writeFile(
    join(tests, "second_test.ts"),
    `import { describe, it, afterEach } from "node:test";\nimport process from "node:process";\nvoid [describe, it, afterEach, process];\n${content}\n`,
  );
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  const command = ["run", "--allow-all", "--no-check", "scripts/run_tests.ts"];
  const options = ["--only", runtime, "--folder", tests, "--timeout", "5"];
  // With this variable set, Node skips every file and reports success.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const result = await new Promise<RunnerResult>((resolve) => {
    execFile(deno, [...command, ...options], { env }, (cause, stdout, stderr) => {
      resolve({ code: cause ? Number(cause.code) : 0, output: stdout + stderr });
    });
  });
  await rm(folder, { recursive: true });
  return result;
}

/** Runs the suite on all three runtimes at once. */
function runEverywhere(content: string): Promise<RunnerResult[]> {
  return Promise.all(["deno", "bun", "node"].map((runtime) => runSuite(runtime, content)));
}

describe("The test runner", () => {
  it("prints one line per runtime and the sum for a suite that passes", async () => {
    for (const { code, output } of await runEverywhere(green)) {
      assertEquals(code, 0, output);
      const line = /^(deno|bun|node): 2 passed, 0 failed, 0 skipped in \d+\.\d s\n\n/;
      assertMatch(output, line);
      assertEquals(output.replace(line, ""), "2 passed, 0 failed, 0 skipped\n");
    }
  });

  it("prints why a test failed, without control characters", async () => {
    const content = `it("fails", () => { throw new Error("the reason"); });`;
    for (const { output } of await runEverywhere(content)) {
      assertMatch(output, /: fails failed \(.*\)\n {4}.*the reason/s);
      // deno-lint-ignore no-control-regex
      assert(!/[\x00-\x09\x0b-\x1f]/.test(output), JSON.stringify(output));
    }
  });

  for (const [death, content] of Object.entries(deaths)) {
    it(`is red on every runtime for ${death}`, async () => {
      for (const { code, output } of await runEverywhere(content)) {
        assertEquals(code, 1, output);
        assertMatch(output, /^\d+ passed, [1-9]\d* failed, \d+ skipped$/m);
      }
    });
  }
});

describe("problemsOf", () => {
  const result = { code: 0, output: "", timedOut: false };
  const passed: TestCase = {
    file: "tests/a_test.ts",
    name: "a",
    outcome: "passed",
    message: "",
    details: "",
  };
  const cases = [passed];
  const summariesOf = (problems: Array<{ summary: string }>) =>
    problems.map(({ summary }) => summary);

  it("finds nothing when every file ran and no test failed", () => {
    assertEquals(problemsOf({ runtime: "bun", result, cases }, ["tests/a_test.ts"]), []);
  });

  it("finds a missing report", () => {
    const problems = problemsOf({ runtime: "bun", result }, []);
    assertEquals(summariesOf(problems), ["bun: wrote no report (exit code 0)"]);
  });

  it("finds a timeout", () => {
    const run = { runtime: "bun", result: { ...result, timedOut: true }, cases };
    assertEquals(summariesOf(problemsOf(run, [])), ["bun: did not end in time"]);
  });

  it("finds an exit code that no failed test explains", () => {
    const run = { runtime: "bun", result: { ...result, code: 1 }, cases };
    const expected = ["bun: ended with exit code 1 though no test failed"];
    assertEquals(summariesOf(problemsOf(run, [])), expected);
  });

  it("finds a file that ran no test", () => {
    const problems = problemsOf({ runtime: "bun", result, cases }, ["tests/b_test.ts"]);
    assertEquals(summariesOf(problems), ["bun: tests/b_test.ts ran no test"]);
  });

  it("finds runtimes that ran different numbers of tests", () => {
    const runs = [
      { runtime: "bun", result, cases },
      { runtime: "node", result, cases: [passed, passed] },
    ];
    const expected = ["the runtimes ran different numbers of tests: bun 1, node 2"];
    assertEquals(summariesOf(differences(runs)), expected);
  });
});

describe("readJunit", () => {
  it("reads outcomes, and what a runner wrote about a failure", () => {
    const report = `<testsuite><testcase name="a &gt; b" classname="./tests/a_test.ts" time="1"/>
      <testcase name="c" file="c.mjs"><failure message="it&apos;s &lt;1>">at &amp;lt;</failure></testcase>
      <testcase name="d" file="d.mjs"><skipped message="no browser"/></testcase></testsuite>`;
    assertEquals(readJunit(report), [
      { file: "./tests/a_test.ts", name: "a > b", outcome: "passed", message: "", details: "" },
      { file: "c.mjs", name: "c", outcome: "failed", message: "it's <1>", details: "at &lt;" },
      { file: "d.mjs", name: "d", outcome: "skipped", message: "no browser", details: "" },
    ]);
  });
});

describe("The progress of a suite", () => {
  /** Returns what is written while two tests pass. */
  function writtenTo(isTerminal: boolean): string {
    let written = "";
    const progress = createProgress("deno", { isTerminal, write: (text) => written += text });
    progress.read("a ... ok (1ms)\nb ... ok (1ms)\n");
    progress.finish("2 passed");
    return written;
  }

  it("counts on a terminal", () => {
    const clear = "\r\x1b[K";
    assertEquals(writtenTo(true), `deno: starting${clear}deno: 2${clear}deno: 2 passed\n`);
  });

  it("is one plain line elsewhere", () => {
    assertEquals(writtenTo(false), "deno: 2 passed\n");
  });
});

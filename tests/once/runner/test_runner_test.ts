import { assert, assertEquals, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { bundle } from "../../../scripts/bundle.ts";
import { readJunit, type TestCase } from "../../../scripts/junit.ts";
import {
  platformTests,
  selectFiles,
  type Selection,
  type Turn,
  turnOf,
  typeSuites,
  usualRuntimeTests,
} from "../../../scripts/tests/selection.ts";
import { bundleForPackage, testsOfExports } from "../../../scripts/tests/test_files.ts";
import { differences, problemsOf, type SuiteRun } from "../../../scripts/tests/verdict.ts";
import { casesOfToday } from "../../support/turn.ts";

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

/** A file that never loads: without a limit, it hides the files after it. */
const stuck = `await new Promise(() => {});`;

interface RunnerResult {
  code: number;
  output: string;
}

/** The second file of a suite, and when the runner ends it. A machine may be slow. */
interface SuiteSettings {
  content: string;
  seconds: number;
  /** Further arguments of the runner. */
  more?: string[];
}

/** Runs our runner, on one runtime if it is given: a green file and one with the given content. */
async function runSuite(
  runtime: string | undefined,
  { content, seconds, more = [] }: SuiteSettings,
): Promise<RunnerResult> {
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
  const only = runtime === undefined ? [] : ["--only", runtime];
  const options = [...only, "--folder", tests, "--timeout", `${seconds}`, ...more];
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
function runEverywhere(content: string, seconds = 300): Promise<RunnerResult[]> {
  const settings = { content, seconds };
  return Promise.all(["deno", "bun", "node"].map((runtime) => runSuite(runtime, settings)));
}

describe("The test runner", () => {
  it("prints one line per runtime and the sum for a suite that passes", async () => {
    const sum = "2 passed, 0 failed, 0 skipped";
    for (const { code, output } of await runEverywhere(green)) {
      assertEquals(code, 0, output);
      const [line, ...rest] = output.replace(/^Fetched.*\n/m, "").trimEnd().split("\n");
      const spent = /in \d+\.\d s \(CPU \d+\.\d s\)$/;
      assertMatch(line ?? "", new RegExp(`^(deno|bun|node): ${sum} ${spent.source}`));
      assertMatch(rest[0] ?? "", new RegExp(`^Together: ${sum} ${spent.source}`));
      assertEquals(rest.slice(1), ["", sum]);
    }
  });

  it("prints one line, and no stack, for a word that no file has", async () => {
    const settings = { content: green, seconds: 300, more: ["nowhere"] };
    const { code, output } = await runSuite("deno", settings);
    assertEquals(code, 1);
    assertMatch(output, /^Cannot find a test file in \S+ whose path contains nowhere\.\n$/);
  });

  it("checks the types of selected files", async () => {
    const content = `${green}\nconst count: number = "one"; void count;`;
    const settings = { content, seconds: 300, more: ["second_test"] };
    const { code, output } = await runSuite(undefined, settings);
    assertEquals(code, 1);
    assertMatch(output, /^types: deno check failed \(tests\/second_test.ts:5\)\n.*TS2322/m);
    assertMatch(output, /^1 passed, 1 failed, 0 skipped$/m);
  });

  it("prints why a test failed, without control characters", async () => {
    const content = `it("fails", () => { throw new Error("the reason"); });`;
    for (const { output } of await runEverywhere(content)) {
      assertMatch(output, /: fails failed \(.*\)\n {4}.*the reason/s);
      // deno-lint-ignore no-control-regex
      assert(!/[\x00-\x09\x0b-\x1f]/.test(output), JSON.stringify(output));
    }
  });

  it("names a file that never loads, and runs those after it", async () => {
    for (const runtime of ["deno", "node"]) {
      const { code, output } = await runSuite(runtime, { content: stuck, seconds: 60 });
      assertEquals(code, 1, output);
      assertMatch(output, /second_test\S* can be loaded failed/);
      assertMatch(output, /^1 passed, 1 failed, 0 skipped$/m);
    }
  });

  it("can run tests with a faster clock, whose dates and times agree", async () => {
    const content = `it("reads the clock twice", async () => {
      const [now, date] = [Date.now(), new Date()];
      await new Promise((resolve) => setTimeout(resolve, 20));
      const passed = [Date.now() - now, new Date() - date, new Date(0).getTime()];
      throw new Error(passed.map((time) => Math.floor(time / 10_000)).join());
    });`;
    const more = ["--clock", "1000"];
    const { output } = await runSuite("deno", { content, seconds: 300, more });
    assertMatch(output, /Error: [1-9]\d*,[1-9]\d*,0\n/);
  });

  for (const [death, content] of Object.entries(deaths)) {
    it(`is red on every runtime for ${death}`, async () => {
      const seconds = content.includes("while (true)") ? 5 : undefined;
      for (const { code, output } of await runEverywhere(content, seconds)) {
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
  const run: SuiteRun = { suite: "bun", files: [passed.file], result, cases: [passed] };

  const problems: Record<string, [change: Partial<SuiteRun>, problem: string]> = {
    "a missing report": [{ cases: [] }, "bun: wrote no report (exit code 0)\n"],
    "a timeout": [{ result: { ...result, timedOut: true } }, "bun: did not end in time\n"],
    "an exit code that no failed test explains": [
      { result: { ...result, code: 1 } },
      "bun: ended with exit code 1 though no test failed\n",
    ],
    "a file that ran no test": [{ files: ["tests/b_test.ts"] }, "bun: tests/b_test.ts ran no test"],
  };
  for (const [what, [change, problem]] of Object.entries(problems)) {
    it(`finds ${what}`, () => {
      assertEquals(problemsOf({ ...run, ...change }), [problem]);
    });
  }

  const frames: Record<string, [frame: string, place: string]> = {
    "a helper": ["file:///x/tests/support/refusals.ts:74:7", "tests/support/refusals.ts:74"],
    "a bundle": ["file:///x/.build/tests-1/tests/a/b_test.test.mjs:7:1", "tests/a/b_test"],
  };
  for (const [what, [frame, place]] of Object.entries(frames)) {
    it(`names a place of the sources for a test of ${what}`, () => {
      const around = "at equals (file:///x/node_modules/y.js:60:9)";
      const within = "at fn (file:///x/tests/support/node_test_on_deno.ts:39:9)";
      const details = ["Error: no", around, `at ${frame}`, within].join("\n");
      const file = "./.build/tests-1/deno_0_test";
      const failed: TestCase = { ...passed, file, outcome: "failed", details };
      const [problem = ""] = problemsOf({ ...run, files: [], cases: [failed] });
      assertMatch(problem, new RegExp(`^bun: a failed \\(${place}\\)`));
    });
  }

  it("finds nothing when every file ran and no test failed", () => {
    assertEquals(problemsOf(run), []);
  });

  it("finds a file that has different numbers of tests", () => {
    const output =
      "running 1 test from ./tests/a_test.ts\nrunning 9 tests from ./tests/b_test.ts\n";
    const onDeno = { ...run, suite: "deno", result: { ...result, output }, cases: [] };
    const twice = { ...run, suite: "node", cases: [passed, passed] };
    assertEquals(differences([onDeno, run]), []);
    assertEquals(differences([onDeno, run, twice]), [
      "tests/a_test.ts has different numbers of tests: deno 1, bun 1, node 2",
    ]);
  });
});

const usualRun: Selection = {
  folder: "tests",
  words: [],
  only: [],
  release: false,
  turn: turnOf(0),
};
const select = (selection: Partial<Selection>) => selectFiles({ ...usualRun, ...selection });
const [usual = new Map<string, string[]>()] = await select({});

describe("The files of a run", () => {
  it("are those of a source, and what imports it, directly or through one file", async () => {
    const choose = async (word: string) => (await select({ words: [word] }))[0]?.get("deno") ?? [];
    const ofPkce = await choose("src/server/protocol/pkce.ts");
    assert(ofPkce.includes("tests/protocol/pkce_test.ts") && ofPkce.length < 20, ofPkce.join());
    const ofToken = await choose("src/server/endpoints/token.ts");
    assert(
      ofToken.includes("tests/endpoints/token_test.ts") && ofToken.length < 40,
      ofToken.join(),
    );
    assertEquals(await choose("src/server/no_such_file.ts"), []);
  });

  it("are those of the usual run, and then all the rest, in a release", async () => {
    const [first, rest = first] = await select({ release: true });
    assertEquals(first, usual);
    const [all = usual] = await select({ words: ["tests/"], release: true });
    for (const suite of typeSuites) all.delete(suite);
    for (const [suite, files] of all) {
      assertEquals([...usual.get(suite) ?? [], ...rest?.get(suite) ?? []].sort(), files.sort());
    }
  });

  it("are everything in process on Bun and Node within twelve days, in sixths", async () => {
    const runs = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, day) => (await select({ release: true, turn: turnOf(day) }))[1],
      ),
    );
    const inProcess = (usual.get("deno") ?? []).filter((file) => !usual.get("bun")?.includes(file));
    for (const runtime of ["bun", "node"]) {
      const sixths = runs.map((files) =>
        inProcess.filter((file) => files?.get(runtime)?.includes(file))
      );
      assertEquals(sixths.flat().sort(), inProcess);
      const sizes = sixths.map((sixth) => sixth.length / inProcess.length).filter(Boolean);
      assert(sizes.length === 6 && sizes.every((share) => share > 0.12), sizes.join());
    }
  });

  it("are the programs on one of these, and on both where nothing is left out", async () => {
    const programs = "tests/runtime/doctor_test.ts";
    const suites = async (turn: Turn | undefined) => {
      const [, rest = usual] = await select({ release: true, turn });
      const running = [...rest].filter(([, files]) => files.includes(programs));
      return running.map(([name]) => name).filter((name) => name !== "package").sort();
    };
    assertEquals(await suites(turnOf(0)), ["bun", "deno/runtime"]);
    assertEquals(await suites(turnOf(1)), ["deno/runtime", "node"]);
    assertEquals(await suites(undefined), ["bun", "deno/runtime", "node"]);
    const [, all = usual] = await select({ release: true, turn: undefined });
    const inProcess = usual.get("deno") ?? [];
    const onNode = [...usual.get("node") ?? [], ...all.get("node") ?? []];
    assertEquals(inProcess.filter((file) => !onNode.includes(file)), []);
  });

  it("have cases that take turns, and all of them in any other run", () => {
    const cases = ["a", "b", "c", "d", "e", "f", "g"];
    assertEquals(casesOfToday(cases, 4, NaN), cases);
    assertEquals([0, 1, 2].map((day) => casesOfToday(cases, 4, day).join("")), [
      ...["abcd", "aefg", "bcde"],
    ]);
    const days = Array.from({ length: 7 }, (_, day) => casesOfToday(cases, 1, 20_000 + day));
    assertEquals(days.flat().sort(), cases);
  });

  it("are named in each list that chooses some of them", () => {
    const unused = [...platformTests, ...usualRuntimeTests].filter((beginning) =>
      !usual.get("bun")?.some((file) => file.startsWith(`tests/${beginning}`))
    );
    assertEquals(unused, []);
  });

  it("are chosen by words, wherever they run", async () => {
    const [chosen = usual] = await select({ words: ["util/der_", "doctor_test", "browser/story"] });
    const [der, doctor] = ["tests/util/der_test.ts", "tests/runtime/doctor_test.ts"];
    assertEquals([...chosen].filter(([, files]) => files.length > 0), [
      ["types", [doctor, der]],
      ["once/types", ["tests/once/browser/story_test.ts"]],
      ["once/browser", ["tests/once/browser/story_test.ts"]],
      ["deno", [der]],
      ["bun", [doctor, der]],
      ["deno/runtime", [doctor]],
      ...["node", "package"].map((suite): [string, string[]] => [suite, [doctor, der]]),
    ]);
  });

  it("run alone if their names say so", () => {
    const isMeasured = (file: string) => file.endsWith("_measured_test.ts");
    const suites = [...usual].filter(([, files]) => files.some(isMeasured)).map(([suite]) => suite);
    assertEquals(suites, ["deno/measured"]);
    assertEquals(usual.get("deno/measured")?.every(isMeasured), true);
  });
});

describe("Tests of what the package exports", () => {
  it("import nothing else of the sources, not even through a helper", () => {
    const files = ["tests/lab/options_test.ts", "tests/util/der_test.ts", "tests/lab/mint_test.ts"];
    const { metafile } = bundle({ entryPoints: files, outdir: "none", write: false });
    assertEquals(testsOfExports(files, metafile.inputs), ["tests/lab/options_test.ts"]);
  });

  it("load the package, and no source", async () => {
    const folder = join(".build", `package-${process.pid}`);
    await bundleForPackage(["tests/lab/options_test.ts"], folder);
    const text = await readFile(join(folder, "lab/options_test.test.mjs"), "utf8");
    assertMatch(text, /from "hallpass\/testing"/);
    assert(!text.includes("// src/lab/"), "A source is in the bundle.");
    await rm(folder, { recursive: true });
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

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawn } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { compiler } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { chromium } from "../../support/chromium.ts";
import { installExamples } from "../../support/package.ts";
import { deno, onNode, runInExamples, unreachable } from "./run_example.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

const browser = { skip: unreachable || !chromium && "this machine has no Chromium" };

/** How a test ended, with its messages and the files that are attached to it. */
interface EndedTest {
  passed: boolean;
  message: string;
  attached: string[];
}

/** Runs files of Playwright, and returns how each test ended, by its title. */
async function runPlaywright(...files: readonly string[]): Promise<Map<string, EndedTest>> {
  const { output } = await runInExamples(() =>
    onNode(
      "node_modules/@playwright/test/cli.js",
      ...["test", "--config", "fixtures/playwright.config.ts", "--reporter", "json", ...files],
    )
  );
  const { suites } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  const specs = suites.flatMap((suite: Json) => suite.specs);
  return new Map(specs.map(({ title, ok, tests: [{ results: [result] }] }: Json) => [title, {
    passed: ok,
    message: result.errors.map(({ message }: Json) => message).join("\n"),
    attached: result.attachments.map(({ name }: Json) => name)
      .filter((name: string) => name.startsWith("hallpass")),
  }]));
}

/** The files of the only flow of a test. */
const filesOfFlow = ["hallpass-flow-1.txt", "hallpass-flow-1.mmd", "hallpass-flow-1.html"];

describe("hallpass/playwright", () => {
  it("passes logins, on the page and hands-free", browser, async () => {
    const tests = await runPlaywright("green");
    assertEquals([...tests.values()].map(({ passed, attached }) => [passed, attached]), [
      [true, []],
      [true, []],
    ]);
  });

  it(
    "fails a test with the rule that was broken and the flow, and hides no failure",
    browser,
    async () => {
      const tests = await runPlaywright("planted");
      const planted = tests.get("has the same verifier twice");
      assertMatch(planted?.message ?? "", /C challenge-reused \(client demo-spa\)/);
      assertEquals(planted?.attached.slice(0, 3), filesOfFlow);
      const own = tests.get("fails by itself");
      assertStringIncludes(own?.message ?? "", "its own failure");
      assertEquals([own?.message.includes("challenge-reused"), own?.attached.length], [false, 6]);
      assertEquals(tests.get("expects the bug")?.passed, true);
      const missing = tests.get("expects a bug that is not there");
      assertStringIncludes(missing?.message ?? "", "did not break 'challenge-reused'");
    },
  );

  it("plays the issuer that an application knows, without a port", browser, async () => {
    const tests = await runPlaywright("route");
    assertEquals([...tests.values()].map(({ passed }) => passed), [true, true]);
  });

  it("keeps twenty tests in four workers apart", browser, async () => {
    const tests = await runPlaywright("many");
    assertEquals([...tests.values()].filter(({ passed }) => passed).length, 20);
  });
});

describe("hallpass/vitest", () => {
  const title = "fails a test with the rule that was broken and the flow, and hides no failure";
  it(title, { skip: unreachable }, async () => {
    const { output } = await runInExamples(() =>
      onNode(
        "node_modules/vitest/vitest.mjs",
        ...["run", "--config", "fixtures/vitest.config.ts", "--reporter", "verbose"],
      )
    );
    const ended = (mark: string) => output.split("\n").filter((line) => line.includes(` ${mark} `));
    assertEquals(ended("✓").length, 2, output);
    assertEquals(ended("×").length, 2, output);
    const [planted = "", own = ""] = output.split("\n FAIL  ").slice(1);
    assertStringIncludes(planted, "C challenge-reused (client demo-spa)");
    assertStringIncludes(own, "its own failure");
    assertEquals(own.includes("challenge-reused"), false);
    assertMatch(output, /stderr \| .*fails by itself\n[^]*flow-2 · demo-spa/);
  });
});

/** The commands that run a file of `node:test`. */
const ofNodeTest: Record<string, (file: string) => Promise<string[]>> = {
  Node: (file) => onNode("--test", file),
  Bun: async (file) => [await binary("bun@1"), "test", `./${file}`],
  Deno: async (file) => [
    ...[deno, "test", "--allow-all", "--no-check", "--node-modules-dir=manual"],
    file,
  ],
};

describe("withLab and labForTest", () => {
  for (const [name, command] of Object.entries(ofNodeTest)) {
    it(`are for tests of node:test on ${name}`, { skip: unreachable }, async () => {
      const { code, output } = await runInExamples(() => command("fixtures/login.node.ts"));
      assertEquals(code, 0, output);
      assertMatch(output, /\b2 pass|pass 2\b/);
    });
  }

  it("end a process whose tests forget to close a lab", { skip: unreachable }, async () => {
    const { code, output } = await runInExamples(() =>
      onNode("--test", "fixtures/forgets.node.ts")
    );
    assertEquals(code, 0, output);
    assertMatch(output, /pass 2\n/);
  });
});

describe("hallpass/vitest-setup", () => {
  const vitest = ["node_modules/vitest/vitest.mjs", "--config", "fixtures/vitest.setup.config.ts"];

  it("gives all tests one lab, and its issuer", { skip: unreachable }, async () => {
    const { code, output } = await runInExamples(() => onNode(...vitest, "--run"));
    assertEquals(code, 0, output);
    assertMatch(output, /Tests +2 passed \(2\)/);
  });

  it("begins each run of watch mode with the lab as it was", { skip: unreachable }, async () => {
    const folder = await installExamples();
    const file = join(folder, "fixtures/setup.vitest.ts");
    const [program = "", ...args] = await onNode(...vitest, "--watch");
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NO_COLOR: "1", CI: undefined };
    const child = spawn(program, args, { cwd: folder, env });
    let output = "";
    const runs = () => output.match(/Tests +2 passed \(2\)[^]*?Waiting for file changes/g)?.length;
    try {
      for await (const text of child.stdout) {
        const before = runs() ?? 0;
        output += text;
        if (runs() === 2) break;
        if (before === 0 && runs() === 1) await appendFile(file, "\n");
      }
    } finally {
      child.kill("SIGKILL");
    }
    assertEquals(runs(), 2, output);
  });
});

describe("The types of the fixtures", () => {
  it("are strict", { skip: unreachable }, async () => {
    const options =
      "--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node";
    const { code, output } = await runInExamples(async () => [
      ...compiler,
      ...options.split(" "),
      ...["green.spec", "planted.spec", "many.spec", "route.spec", "playwright.config"]
        .map((name) => `fixtures/${name}.ts`),
      ...["login.vitest", "setup.vitest", "vitest.setup.config", "login.node", "forgets.node"]
        .map((name) => `fixtures/${name}.ts`),
    ]);
    assertEquals(code, 0, output);
  });
});

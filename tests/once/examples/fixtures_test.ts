import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { compiler } from "../../../scripts/declarations.ts";
import { chromium } from "../../support/chromium.ts";
import { onNode, runInExamples, unreachable } from "./run_example.ts";

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
      const planted = tests.get("has the same state twice");
      assertMatch(planted?.message ?? "", /violation state-reused \(client demo-spa\)/);
      assertEquals(planted?.attached.slice(0, 3), filesOfFlow);
      const own = tests.get("fails by itself");
      assertStringIncludes(own?.message ?? "", "its own failure");
      assertEquals([own?.message.includes("state-reused"), own?.attached.length], [false, 6]);
      assertEquals(tests.get("expects the bug")?.passed, true);
      const missing = tests.get("expects a bug that is not there");
      assertStringIncludes(missing?.message ?? "", "did not break 'state-reused'");
    },
  );

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
    assertStringIncludes(planted, "violation state-reused (client demo-spa)");
    assertStringIncludes(own, "its own failure");
    assertEquals(own.includes("state-reused"), false);
    assertMatch(output, /stderr \| .*fails by itself\n[^]*flow-2 · demo-spa/);
  });
});

describe("withLab", () => {
  it("is a test of node:test", { skip: unreachable }, async () => {
    const { code, output } = await runInExamples(() => onNode("--test", "fixtures/login.node.ts"));
    assertEquals(code, 0, output);
    assertMatch(output, /pass 1\n/);
  });
});

describe("The types of the fixtures", () => {
  it("are strict", { skip: unreachable }, async () => {
    const options =
      "--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node";
    const { code, output } = await runInExamples(async () => [
      ...compiler,
      ...options.split(" "),
      ...["green.spec", "planted.spec", "many.spec", "playwright.config", "login.vitest"]
        .map((name) => `fixtures/${name}.ts`),
      "fixtures/login.node.ts",
    ]);
    assertEquals(code, 0, output);
  });
});

import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { compiler } from "../../../scripts/declarations.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { drillVariants } from "../../../src/lab/features/drill/variants/variants.ts";
import { chromium } from "../../support/chromium.ts";
import { installExamples } from "../../support/package.ts";

interface Example {
  file: string;
  /** Returns the command of the test runner. */
  command(): Promise<string[]>;
  /** What the runner prints when all tests pass. */
  success: RegExp;
  skip?: string | false;
}

/** Returns an example for Node's own test runner. */
function nodeExample(file: string, tests = 1): Example {
  const success = new RegExp(`pass ${tests}\\n.*fail 0`);
  return { file, command: () => onNode("--test", file), success };
}

/** When a runner is killed, in milliseconds. */
const timeout = 120_000;
const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
const onNode = async (...args: string[]) => [await binary("node@24"), ...args];

const examples: Example[] = [
  {
    file: "example.deno.ts",
    command: async () => [deno, "test", "--allow-all", "example.deno.ts"],
    success: /ok \| 2 passed \| 0 failed/,
  },
  {
    file: "example.bun.ts",
    command: async () => [await binary("bun@1"), "test", "./example.bun.ts"],
    success: /2 pass\n 0 fail/,
  },
  nodeExample("example.node.ts", 2),
  nodeExample("example.login.mjs"),
  nodeExample("example.mcp.ts"),
  nodeExample("example.mcp_server.ts"),
  nodeExample("example.msw.ts"),
  nodeExample("example.nock.ts"),
  nodeExample("example.http.ts"),
  nodeExample("example.express.ts"),
  nodeExample("example.passport.ts"),
  nodeExample("example.passport_openidconnect.ts"),
  nodeExample("example.backchannel_logout.ts"),
  nodeExample("example.sign_out.ts"),
  nodeExample("example.roles.ts"),
  nodeExample("example.chosen_values.ts", 2),
  nodeExample("example.provider_down.ts", 5),
  nodeExample("example.api_drill.ts"),
  nodeExample("example.key_rotation.ts"),
  nodeExample("example.own_endpoint.ts"),
  nodeExample("example.parallel.ts", 3),
  {
    file: "example.drill.ts",
    command: () => onNode("--test", "--test-reporter=junit", "example.drill.ts"),
    success: new RegExp(`<testsuite [^>]* tests="${drillVariants.length}" failures="0"`),
  },
  {
    file: "example.vitest.ts",
    command: () => onNode("node_modules/vitest/vitest.mjs", "run", "example.vitest.ts"),
    success: /Tests +2 passed \(2\)/,
  },
  {
    file: "example.playwright.ts",
    command: () => onNode("node_modules/@playwright/test/cli.js", "test"),
    success: /1 passed/,
    skip: !chromium && "this machine has no Chromium",
  },
];

const unreachable = await reasonNotFetched("tests/examples");

describe("The examples", () => {
  for (const { file, command, success, skip } of examples) {
    it(`${file} passes under its own runner`, { skip: unreachable || skip }, async () => {
      const { code, output } = await runInExamples(command);
      assertEquals(code, 0, output);
      assertMatch(output, success);
    });

    it(`${file} has at most 40 lines`, async () => {
      const lines =
        (await readFile(join("tests/examples", file), "utf8")).trim().split("\n").length;
      assertEquals(Math.max(lines, 40), 40);
    });
  }

  it("mcp/typescript passes with Node's test runner", { skip: unreachable }, async () => {
    const { code, output } = await runInExamples(() =>
      onNode("--test", "mcp/typescript/*.test.ts")
    );
    assertEquals(code, 0, output);
    assertMatch(output, /pass 1\d\n.*fail 0/);
  });

  it("have no type errors", { skip: unreachable }, async () => {
    const files = examples.map(({ file }) => file).filter((file) => !/deno|bun|\.mjs$/.test(file));
    const options =
      "--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node";
    const { code, output } = await runInExamples(async () => [
      ...compiler,
      ...options.split(" "),
      "--lib",
      "esnext,dom,dom.iterable",
      ...files,
      "coming_from/calls.test.ts",
      "coming_from/fixtures.test.ts",
      "mcp/typescript/notes_client.test.ts",
      "mcp/typescript/enterprise_client.test.ts",
      "mcp/typescript/notes_server.test.ts",
      "mcp/typescript/start_notes_server.ts",
    ]);
    assertEquals(code, 0, output);
  });
});

/** Runs a command in the folder of the examples. */
async function runInExamples(command: () => Promise<string[]>): Promise<CommandResult> {
  // A runner that finds itself inside another one may print nothing.
  const env = { CHROMIUM: chromium ?? "", NODE_TEST_CONTEXT: undefined, NO_COLOR: "1" };
  return await runCommand(await command(), { cwd: await installExamples(), env, timeout });
}

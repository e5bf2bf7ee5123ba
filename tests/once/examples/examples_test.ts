import { assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { compiler } from "../../../scripts/declarations.ts";
import { binary } from "../../../scripts/npx.ts";
import { chromium } from "../../support/chromium.ts";
import { installExamples } from "../../support/package.ts";

interface Example {
  file: string;
  /** The runner, given the examples' folder. */
  command(): Promise<string[]>;
  /** What the runner says when all is well. */
  says: RegExp;
  skip?: string | false;
}

const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
const onNode = async (...args: string[]) => [await binary("node@24"), ...args];

const examples: Example[] = [
  {
    file: "example.deno.ts",
    command: async () => [deno, "test", "--allow-all", "example.deno.ts"],
    says: /ok \| 2 passed \| 0 failed/,
  },
  {
    file: "example.bun.ts",
    command: async () => [await binary("bun@1"), "test", "./example.bun.ts"],
    says: /2 pass\n 0 fail/,
  },
  {
    file: "example.node.ts",
    command: () => onNode("--test", "example.node.ts"),
    says: /pass 2\n.*fail 0/,
  },
  {
    file: "example.mcp.ts",
    command: () => onNode("--test", "example.mcp.ts"),
    says: /pass 1\n.*fail 0/,
  },
  {
    file: "example.msw.ts",
    command: () => onNode("--test", "example.msw.ts"),
    says: /pass 1\n.*fail 0/,
  },
  {
    file: "example.vitest.ts",
    command: () => onNode("node_modules/vitest/vitest.mjs", "run"),
    says: /Tests +2 passed \(2\)/,
  },
  {
    file: "example.playwright.ts",
    command: () => onNode("node_modules/@playwright/test/cli.js", "test"),
    says: /1 passed/,
    skip: !chromium && "there is no Chromium on this machine",
  },
];

const unreachable = await installExamples().then(() => false as const, whyNot);

describe("The examples", () => {
  for (const { file, command, says, skip } of examples) {
    it(`${file} passes under its own runner`, { skip: unreachable || skip }, async () => {
      const { code, output } = await once(file, command);
      assertEquals(code, 0, output);
      assertMatch(output, says);
    });

    it(`${file} has at most 40 lines`, async () => {
      const lines =
        (await readFile(join("tests/examples", file), "utf8")).trim().split("\n").length;
      assertEquals(Math.max(lines, 40), 40);
    });
  }

  it("have no type error", { skip: unreachable }, async () => {
    const files = examples.map(({ file }) => file).filter((file) => !/deno|bun/.test(file));
    const options =
      "--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node";
    const { code, output } = await once(
      "types",
      async () => [
        ...compiler,
        ...options.split(" "),
        "--lib",
        "esnext,dom,dom.iterable",
        ...files,
      ],
    );
    assertEquals(code, 0, output);
  });
});

/** Runs a program in the examples' folder, once for all runtimes of this test; those that come later are told how it went. */
async function once(name: string, command: () => Promise<string[]>): Promise<CommandResult> {
  const folder = await installExamples();
  const record = join(folder, `${name}.json`);
  if (!existsSync(record)) {
    // A runner that finds itself inside of another one may keep quiet.
    const env = { CHROMIUM: chromium ?? "", NODE_TEST_CONTEXT: undefined, NO_COLOR: "1" };
    await writeFile(
      record,
      JSON.stringify(await runCommand(await command(), { cwd: folder, env, timeout: 120_000 })),
    );
  }
  return JSON.parse(await readFile(record, "utf8"));
}

/** Runners and libraries come from the npm registry, which not every machine reaches. */
function whyNot(cause: unknown): string {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(String(cause))) {
    return "the npm registry cannot be reached";
  }
  throw cause;
}

import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { it } from "node:test";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { chromium } from "../../support/chromium.ts";
import { installExamples } from "../../support/package.ts";

/** When a runner is killed, in milliseconds. */
const timeout = 120_000;
/** The Deno that runs examples. */
export const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
/** Why the packages of examples cannot be had. */
export const unreachable = await reasonNotFetched("tests/examples");

/** An example, which its own runner runs. */
export interface Example {
  file: string;
  /** Returns the command of the test runner. */
  command(): Promise<string[]>;
  /** What the runner prints when all tests pass. */
  success: RegExp;
  skip?: string | false;
}

/** Returns an example for Node's own test runner. */
export function nodeExample(file: string, tests = 1): Example {
  const success = new RegExp(`pass ${tests}\\n.*fail 0`);
  return { file, command: () => onNode("--test", file), success };
}

/** Returns a command for Node. */
export async function onNode(...args: string[]): Promise<string[]> {
  return [await binary("node@24"), ...args];
}

/** Runs an example, and checks its length. */
export function itPasses({ file, command, success, skip }: Example): void {
  it(`${file} passes under its own runner`, { skip: unreachable || skip }, async () => {
    const { code, output } = await runInExamples(command);
    assertEquals(code, 0, output);
    assertMatch(output, success);
  });

  it(`${file} has at most 40 lines`, async () => {
    const lines = (await readFile(join("tests/examples", file), "utf8")).trim().split("\n").length;
    assertEquals(Math.max(lines, 40), 40);
  });
}

/** Runs a command in the folder of the examples. */
export async function runInExamples(command: () => Promise<string[]>): Promise<CommandResult> {
  // A runner that finds itself inside another one may print nothing.
  const env = { CHROMIUM: chromium ?? "", NODE_TEST_CONTEXT: undefined, NO_COLOR: "1" };
  return await runCommand(await command(), { cwd: await installExamples(), env, timeout });
}

import { assertEquals } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";

const day = 24 * 60 * 60_000;

/** Features that are deleted by turns: with a grant, tables and texts, and with files on disk. */
const byTurns = ["device", "brand"];
const feature = byTurns[Math.floor(Date.now() / day) % byTurns.length] ?? "device";

/** What is quick; `deno task without NAME` runs all tests of the server. */
const tests = ["tests/core_alone_test.ts", "tests/endpoints/", "tests/features/"];

describe("A project without one of its features", () => {
  it(`generates its files, type-checks and passes its tests: today, without '${feature}'`, async () => {
    const command = ["run", "--allow-all", "scripts/without.ts", feature];
    const { code, output } = await runCommand(
      [process.execPath, ...command, "--only", tests.join(",")],
      { timeout: 15 * 60_000 },
    );
    assertEquals(code, 0, output);
  });
});

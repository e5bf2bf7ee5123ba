import { assertEquals, assertMatch } from "@std/assert";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runCommand } from "../../../../scripts/child.ts";
import { binary } from "../../../../scripts/downloads.ts";
import { inFolder } from "../../../support/folder.ts";
import { installPackage, packPackage } from "../../../support/package.ts";

/** Runs the program of the installed package in a new project, without a network. */
async function initProject(act: (folder: string) => Promise<void>, ...args: readonly string[]) {
  const program = join(await installPackage(), "node_modules/hallpass/main.mjs");
  return await inFolder(async (folder) => {
    await writeFile(join(folder, "package.json"), '{ "private": true }');
    await act(folder);
    const command = [await binary("node@24"), program, "init", "--yes", ...args];
    const env = { NODE_TEST_CONTEXT: undefined, npm_config_offline: "true" };
    return await runCommand(command, { cwd: folder, env, timeout: 120_000 });
  });
}

describe("hallpass init of the package", () => {
  it("installs a package from a file, and its first test passes", async () => {
    const { code, output } = await initProject(async () => {}, "--from", await packPackage());
    assertEquals(code, 0, output);
    assertMatch(output, /Running: npm install[^]*Running: node --test[^]*pass 1\n/);
  });

  it("runs the first test with the package that is there", async () => {
    const { code, output } = await initProject(async (folder) => {
      const installed = join(await installPackage(), "node_modules/hallpass");
      await cp(installed, join(folder, "node_modules/hallpass"), { recursive: true });
    });
    assertEquals(code, 0, output);
    assertMatch(output, /pass 1\n/);
    assertEquals(output.includes("npm install"), false);
  });

  it("ends with the exit code 1 if the package cannot be installed", async () => {
    const { code, output } = await initProject(async () => {}, "--from", "nowhere.tgz");
    assertEquals(code, 1, output);
    assertMatch(output, /Running: npm install .*nowhere\.tgz/);
  });
});

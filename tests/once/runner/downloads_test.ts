import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { type Download, fetchOnce, fetchWithTries } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { present } from "../../support/present.ts";

/** Stalls the first time, as a registry may, and then says where it is. */
const stallsOnce = "test -e tried && echo path=/there && exit; touch tried; sleep 600";

/** How long tries may take, in milliseconds: the first one stalls. */
const limits = [500, 30_000];

const shell = (script: string): Download => ({ command: ["sh", "-c", script] });

describe("What builds and tests fetch", () => {
  it("G1: is fetched again if the registry stalls", async () => {
    await inFolder(async (cwd) => {
      const result = await fetchWithTries("it", { ...shell(stallsOnce), cwd }, limits);
      assertEquals(result, { path: "/there" });
    });
  });

  it("G1: is missing with its reason if the registry stalls for ever", async () => {
    const result = await fetchWithTries("it", shell("sleep 600"), [100, 200]);
    const reason = "it cannot be fetched: the registry did not respond within 0.2 seconds";
    assertEquals(result, { reason, isOutage: true });
  });

  it("G1: is tried once, and no excuse, if the registry has nothing of that name", async () => {
    const result = await fetchWithTries("it", shell("echo npm error code E404; exit 1"), limits);
    const reason = "it cannot be fetched: npm error code E404";
    assertEquals(result, { reason, isOutage: false });
  });

  it("G1: is not fetched during a test", () => {
    assert(process.env.HALLPASS_TEST_FETCHED, "Only the runner fetches before the tests.");
    assertThrows(() => fetchOnce("a-package@1"), Error, "A test would fetch a-package@1");
  });
});

describe("A run of the tests", () => {
  it("G1: skips a suite whose runtime cannot be had, and says why once", async () => {
    const tests = join(".build", `downloads-${process.pid}`, "tests");
    await mkdir(tests, { recursive: true });
    for (const name of ["first", "second"]) {
      const content = `import { it } from "node:test";\nit("passes", () => {});\n`;
      await writeFile(join(tests, `${name}_test.ts`), content);
    }
    const { code, output } = await inFolder((cache) => runOffline(cache, tests));
    await rm(dirname(tests), { recursive: true });
    assertEquals(code, 0, output);
    assertMatch(output, /\nSkipped:\n {2}- bun bun@1 cannot be fetched: .* cannot be reached\n\n/);
    assertMatch(output, /^2 passed, 0 failed, 1 skipped$/m);
  });
});

/** Runs tests on Deno and Bun, where npm has no cache and no registry. */
async function runOffline(cache: string, tests: string) {
  const deno = present(process.env.HALLPASS_TEST_DENO);
  const script = ["run", "--allow-all", "--no-check", "scripts/run_tests.ts"];
  const env = {
    HALLPASS_TEST_FETCHED: undefined,
    npm_config_cache: cache,
    npm_config_fetch_retries: "0",
    npm_config_offline: "false",
    npm_config_registry: "http://localhost:1",
  };
  const command = [deno, ...script, "--only", "deno,bun", "--folder", tests];
  return await runCommand(command, { timeout: 300_000, env });
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { firefox } from "../../tests/support/firefox.ts";
import { runCommand } from "../child.ts";
import { fetched } from "../downloads.ts";
import { readJunit } from "../junit.ts";
import type { Trial } from "../trials/trial.ts";
import { reportOf } from "./run_suite.ts";

const file = "tests/once/playground/playground_in_firefox_test.ts";

/** When it is killed, in milliseconds: slow machines exist. */
const timeout = 20 * 60_000;

/** What the tests do with the playground in Chromium. A release runs a short form of it. */
export const playgroundInFirefox: Trial = {
  title: "The playground in Firefox",
  skip: firefox ? false : "this machine has no Firefox",
  async run(folder) {
    await fetched("tests/once");
    const report = join(folder, "report.xml");
    const flags = ["--allow-all", "--no-check", "--config=tests/once/deno.json"];
    const { output } = await runCommand(
      [process.execPath, "test", ...flags, "--junit-path", report, file],
      { timeout, env: { HALLPASS_TEST_ALL_IN_FIREFOX: "1", NO_COLOR: "1" } },
    );
    const text = await readFile(report, "utf8").catch(() => "");
    return reportOf("Debian's firefox-esr", readJunit(text), output);
  },
};

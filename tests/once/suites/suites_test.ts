import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { reasonNotFetched } from "../../../scripts/downloads.ts";
import { suites, trialOf } from "../../../scripts/suites/run_suite.ts";
import { commandOn } from "../../../scripts/trials/process.ts";
import { inFolder } from "../../support/folder.ts";

const skip = await reasonNotFetched("tests/examples");

describe("A running server", () => {
  // What is not in the lock file is too large to fetch here.
  for (const suite of suites.filter(({ version }) => version === undefined)) {
    it(`serves ${suite.package}`, { skip }, async () => {
      const { run } = trialOf(suite, await commandOn("deno"), true);
      assertEquals((await inFolder(run)).problems, []);
    });
  }
});

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { reasonNotFetched } from "../../../scripts/downloads.ts";
import { runSuite, suites } from "../../../scripts/suites/run_suite.ts";
import { withServers } from "../../../scripts/suites/suite_server.ts";
import { commandFor } from "../../support/program.ts";

const skip = await reasonNotFetched("tests/suites");

describe("A running server", () => {
  // What is not in the lock file is too large to fetch here.
  for (const suite of suites.filter(({ version }) => version === undefined)) {
    it(`serves ${suite.package}`, { skip }, async () => {
      await withServers(commandFor("src/main.ts"), suite.topic, async (env) => {
        const { cases, output } = await runSuite(suite, env, { short: true });
        assert(cases.length > 0, output);
        const failed = cases.filter(({ outcome }) => outcome === "failed");
        assertEquals(failed.map(({ name, details }) => `${name}: ${details}`), []);
      });
    });
  }
});

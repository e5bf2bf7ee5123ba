import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { installSuites, runSuite, suites } from "../../../scripts/suites/run_suite.ts";
import { withSuiteServer } from "../../../scripts/suites/suite_server.ts";
import { reasonNotInstalled } from "../../support/network.ts";
import { commandFor } from "../../support/program.ts";

const skip = await reasonNotInstalled(installSuites);

describe("A running server", () => {
  for (const suite of suites) {
    it(`serves ${suite.package}`, { skip }, async () => {
      await withSuiteServer(commandFor("src/main.ts"), async (env) => {
        const { cases, output } = await runSuite(suite, env, { short: true });
        assert(cases.length > 0, output);
        const failed = cases.filter(({ outcome }) => outcome === "failed");
        assertEquals(failed.map(({ name, details }) => `${name}: ${details}`), []);
      });
    });
  }
});

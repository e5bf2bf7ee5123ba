/**
 * Runs libraries and suites of other projects against a running server.
 *
 *   deno task suites [--runtime deno|bun|node] [PACKAGE …]
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { runtimes } from "../soak/runtimes.ts";
import { installSuites, runSuite, type SuiteReport, suites } from "./run_suite.ts";
import { withSuiteServer } from "./suite_server.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: "string", default: "deno" } },
});

const command = await runtimes[values.runtime]?.();
if (!command) throw new Error(`The runtime must be one of ${Object.keys(runtimes).join(", ")}.`);
await installSuites();
let failed = 0;
await withSuiteServer(command, async (env) => {
  for (const suite of suites) {
    if (names.length > 0 && !names.includes(suite.package)) continue;
    failed += print(suite.package, await runSuite(suite, env));
  }
});
process.exit(failed > 0 ? 1 : 0);

/**
 * Prints a report, and returns how many tests have failed. A suite without tests has failed, too.
 */
function print(name: string, { version, cases, output }: SuiteReport): number {
  const count = (outcome: string) => cases.filter((each) => each.outcome === outcome).length;
  const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(count);
  console.log(`${name} ${version}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (cases.length === 0) console.log(output);
  for (const { outcome, name, details } of cases) {
    if (outcome === "failed") console.log(`  ${name}\n${details.replace(/^/gm, "    ")}`);
  }
  return cases.length === 0 ? 1 : failed ?? 0;
}

/**
 * Runs libraries and suites of other projects against a running server. `mcp` stands for all that
 * concerns the Model Context Protocol, the examples with its SDKs included.
 *
 *   deno task suites [--runtime deno|bun|node] [PACKAGE … | mcp]
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { reasonNotFetched } from "../downloads.ts";
import type { TestCase } from "../junit.ts";
import { commandOn } from "../trials/runtimes.ts";
import { type McpExampleReport, runMcpExamples } from "./mcp_examples.ts";
import { runSuite, type SuiteReport, suites } from "./run_suite.ts";
import { withServers } from "./suite_server.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: "string", default: "deno" } },
});

const command = await commandOn(values.runtime);
const isChosen = (...known: Array<string | undefined>) =>
  names.length === 0 || names.some((name) => known.includes(name));
let failed = 0;

await reasonNotFetched("tests/suites");
for (const suite of suites.filter((each) => isChosen(each.package, each.topic))) {
  await withServers(command, suite.topic, async (env) => {
    failed += print(suite.package, await runSuite(suite, env));
  });
}
if (isChosen("mcp")) {
  for (const example of await runMcpExamples()) {
    failed += printExample(example);
  }
}
process.exit(failed > 0 ? 1 : 0);

/**
 * Prints a report, and returns how many tests have failed. A suite without tests has failed, too.
 */
function print(name: string, { version, cases, output }: SuiteReport): number {
  const passed = cases.filter(({ outcome }) => outcome === "passed").length;
  console.log(`${name} ${version}: ${passed} of ${cases.length} passed`);
  if (cases.length === 0) console.log(output);
  for (const each of cases) if (each.outcome !== "passed") console.log(describe(each));
  return cases.length === 0 ? 1 : cases.filter(({ outcome }) => outcome === "failed").length;
}

/** Says why a test did not pass. */
function describe({ outcome, name, message, details }: TestCase): string {
  const reason = outcome === "skipped" ? message : details;
  return `  ${outcome}: ${name}\n${reason.replace(/^/gm, "    ")}`;
}

/** Prints what came of an example, and returns how many have failed. */
function printExample({ folder, summary, output }: McpExampleReport): number {
  console.log(`tests/examples/${folder}: ${summary}`);
  if (output !== undefined) console.log(output.replace(/^/gm, "    "));
  return output === undefined ? 0 : 1;
}

/**
 * Runs libraries and suites of other projects against a running server. `mcp` stands for all that
 * concerns the Model Context Protocol.
 *
 *   deno task suites [--runtime deno|bun|node] [PACKAGE … | mcp]
 */
import { rmSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { runFolder } from "../downloads.ts";
import { commandOn } from "../trials/process.ts";
import { runTrials } from "../trials/trial.ts";
import { suites, trialOf } from "./run_suite.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: "string", default: "deno" } },
});

const chosen = suites.filter((suite) =>
  names.length === 0 || names.some((name) => [suite.package, suite.topic].includes(name))
);
const command = await commandOn(values.runtime);
process.once("exit", () => rmSync(runFolder(), { recursive: true, force: true }));
await runTrials(chosen.map((suite) => trialOf(suite, command)));

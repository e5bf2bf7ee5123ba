/**
 * Runs libraries and suites of other projects against a running server. `mcp` stands for all that
 * concerns the Model Context Protocol;
 * `firefox` tries the playground in that browser, as the tests do in Chromium.
 *
 *   deno task suites [--runtime deno|bun|node] [PACKAGE … | mcp | firefox]
 */
import { rmSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { runFolder } from "../downloads.ts";
import { commandOn } from "../trials/process.ts";
import { runTrials } from "../trials/trial.ts";
import { playgroundInFirefox } from "./firefox.ts";
import { suites, trialOf } from "./run_suite.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: "string", default: "deno" } },
});

const isChosen = (...known: Array<string | undefined>) =>
  names.length === 0 || names.some((name) => known.includes(name));

const command = await commandOn(values.runtime);
process.once("exit", () => rmSync(runFolder(), { recursive: true, force: true }));
await runTrials([
  ...suites.filter((suite) => isChosen(suite.package, suite.topic))
    .map((suite) => trialOf(suite, command)),
  ...isChosen("firefox") ? [playgroundInFirefox] : [],
]);

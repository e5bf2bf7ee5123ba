import { prepareExample, runExample } from "../../tests/once/examples/language_example.ts";
import { mcpExamples } from "../../tests/once/examples/languages.ts";
import { installExamples } from "../../tests/support/package.ts";
import { type CommandResult, runCommand } from "../child.ts";
import { binary } from "../downloads.ts";
import type { Trial, TrialReport } from "../trials/trial.ts";
import { indent } from "./run_suite.ts";

/** What the runners print of a test that passed, or of how many did. */
const counts = [/(?<passed>\d+) passed/, /ℹ pass (?<passed>\d+)/];

/** Runs the clients and servers with the official SDKs, each with its own runner. */
export const mcpExampleTrials: readonly Trial[] = [
  { title: titleOf("mcp/typescript"), run: runTypeScript },
  ...mcpExamples.map((example): Trial => ({
    title: titleOf(example.folder),
    async run() {
      const command = example.command.map((word) => word === "-count=1" ? "-v" : word);
      const prepared = await prepareExample({ ...example, command });
      if (prepared.skip === false) return reportOf(await runExample(prepared));
      return { figures: [`not run: ${prepared.skip}`], problems: [] };
    },
  })),
];

function titleOf(folder: string): string {
  return `tests/examples/${folder}`;
}

async function runTypeScript(): Promise<TrialReport> {
  const command = [await binary("node@24"), "--test", "mcp/typescript/*.test.ts"];
  const env = { NODE_TEST_CONTEXT: undefined, NO_COLOR: "1" };
  const cwd = await installExamples();
  return reportOf(await runCommand(command, { cwd, env, timeout: 120_000 }));
}

function reportOf({ code, output }: CommandResult): TrialReport {
  if (code !== 0) return { figures: [], problems: [`It failed.\n${indent(output)}`] };
  return { figures: [`${countPassed(output)} passed`], problems: [] };
}

/** Go prints a line per test, the others a number. */
function countPassed(output: string): number {
  const found = counts.map((each) => each.exec(output)?.groups?.passed).find((each) => each);
  return found === undefined ? output.match(/--- PASS/g)?.length ?? 0 : Number(found);
}

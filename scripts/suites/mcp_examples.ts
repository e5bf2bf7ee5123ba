import { prepareExample, runExample } from "../../tests/once/examples/language_example.ts";
import { mcpExamples } from "../../tests/once/examples/languages.ts";
import { installExamples } from "../../tests/support/package.ts";
import { type CommandResult, runCommand } from "../child.ts";
import { binary } from "../downloads.ts";

/** What came of the tests of an example. */
export interface McpExampleReport {
  folder: string;
  /** How many tests passed, or why none ran. */
  summary: string;
  /** What the runner printed, if a test failed. */
  output?: string;
}

/** What the runners print of a test that passed, or of how many did. */
const counts = [/(?<passed>\d+) passed/, /ℹ pass (?<passed>\d+)/];

/** Runs the clients and servers with the official SDKs, each with its own runner. */
export async function runMcpExamples(): Promise<McpExampleReport[]> {
  const reports = [await runTypeScript()];
  for (const example of mcpExamples) {
    const verbose = example.command.map((word) => word === "-count=1" ? "-v" : word);
    const prepared = await prepareExample({ ...example, command: verbose });
    const { folder, skip } = prepared;
    reports.push(
      skip === false
        ? reportOf(folder, await runExample(prepared))
        : { folder, summary: `not run: ${skip}` },
    );
  }
  return reports;
}

async function runTypeScript(): Promise<McpExampleReport> {
  const folder = "mcp/typescript";
  const command = [await binary("node@24"), "--test", `${folder}/*.test.ts`];
  const env = { NODE_TEST_CONTEXT: undefined, NO_COLOR: "1" };
  const cwd = await installExamples();
  return reportOf(folder, await runCommand(command, { cwd, env, timeout: 120_000 }));
}

function reportOf(folder: string, { code, output }: CommandResult): McpExampleReport {
  if (code !== 0) return { folder, summary: "failed", output };
  return { folder, summary: `${countPassed(output)} passed` };
}

/** Go prints a line per test, the others a number. */
function countPassed(output: string): number {
  const found = counts.map((each) => each.exec(output)?.groups?.passed).find((each) => each);
  return found === undefined ? output.match(/--- PASS/g)?.length ?? 0 : Number(found);
}

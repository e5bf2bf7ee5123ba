import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runExample } from "../../tests/once/examples/language_example.ts";
import { type LanguageExample, socialAuth } from "../../tests/once/examples/languages.ts";
import { installExamples } from "../../tests/support/package.ts";
import { runCommand } from "../child.ts";
import { binary, fetched, nameOf } from "../downloads.ts";
import { readJunit, type TestCase } from "../junit.ts";
import type { Trial, TrialReport } from "../trials/trial.ts";
import { type SuiteEnvironment, withServers } from "./suite_server.ts";

/** When a suite is killed, in milliseconds: slow machines exist. */
const timeout = 15 * 60_000;

/** A library, or a suite of another project, that uses a running server. */
export interface Suite {
  /** The package, on npm unless the suite is in another language. */
  package: string;
  file: string;
  /** Its folder and command, in another language. It starts its own lab. */
  example?: LanguageExample;
  /** The tests to leave out when time is short. */
  slow?: string;
  /** Another name of the suite, which several may share. */
  topic?: "mcp";
  /** The version, of a package that the lock file does not have because of its size. */
  version?: string;
}

/** Every suite. */
export const suites: readonly Suite[] = [
  {
    package: "@modelcontextprotocol/conformance",
    file: "mcp.test.ts",
    topic: "mcp",
    slow: "MCP server",
  },
  {
    package: "@modelcontextprotocol/inspector",
    file: "mcp_inspector.test.ts",
    topic: "mcp",
    version: "2.12.0",
  },
  { package: "openid-client", file: "openid_client.test.ts", slow: "on a device" },
  { package: "oidc-client-ts", file: "oidc_client_ts.test.ts", slow: "renews|frame|key" },
  { package: "@auth/core", file: "auth_js.test.ts" },
  {
    package: "social-auth-core",
    file: "test_social_auth.py",
    example: socialAuth,
    version: "7.0.0",
  },
];

/**
 * Returns the trial of a server, which a command runs, by a suite; a short one leaves out what is
 * slow.
 */
export function trialOf(suite: Suite, command: readonly string[], isShort = false): Trial {
  const { example } = suite;
  if (example) return { title: suite.package, run: () => runInLanguage(suite, example, command) };
  return {
    title: suite.package,
    run: (folder) =>
      withServers({ command, folder }, suite.topic, (env) => runSuite(suite, env, isShort)),
  };
}

/** Runs a suite on Node against a running server. */
async function runSuite(
  { package: name, file, slow, version: pinned }: Suite,
  env: SuiteEnvironment,
  isShort: boolean,
): Promise<TrialReport> {
  const skipped = isShort && slow !== undefined ? [`--test-skip-pattern=/${slow}/`] : [];
  const test = ["--test", "--test-reporter=junit", ...skipped, file];
  // A runner that finds itself inside another one would print nothing.
  const examples = await installExamples();
  const version = pinned ?? await installedVersion(examples, name);
  const suiteEnv = { ...env, HALLPASS_SUITE_VERSION: version, NODE_TEST_CONTEXT: undefined };
  const options = { cwd: join(examples, "suites"), timeout, env: suiteEnv };
  const { output } = await runCommand([await binary("node@24"), ...test], options);
  return reportOf(version, readJunit(output), output);
}

/** Runs a suite with its own command, which writes its report to the output. */
async function runInLanguage(
  { file, version = "" }: Suite,
  example: LanguageExample,
  program: readonly string[],
): Promise<TrialReport> {
  const place = await fetched(nameOf(example));
  const command = [...example.command, "--junitxml=/dev/stdout", file];
  const { output } = await runExample({ command, place }, {}, program);
  return reportOf(version, readJunit(output), output);
}

/** A suite without tests has failed, too. */
function reportOf(version: string, cases: readonly TestCase[], output: string): TrialReport {
  const of = (wanted: TestCase["outcome"]) => cases.filter(({ outcome }) => outcome === wanted);
  const skipped = of("skipped").map(({ name, message }) => `skipped: ${name}: ${message}`);
  const failed = of("failed").map(({ name, details }) => `${name}\n${indent(details)}`);
  return {
    figures: [`${version}: ${of("passed").length} of ${cases.length} passed`, ...skipped],
    problems: cases.length === 0 ? [`No test ran.\n${indent(output)}`] : failed,
  };
}

/** Indents a text, to print it below a line. */
function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}

async function installedVersion(folder: string, name: string): Promise<string> {
  const manifest = join(folder, "node_modules", name, "package.json");
  return JSON.parse(await readFile(manifest, "utf8")).version;
}

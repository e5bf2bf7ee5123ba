import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { sessionChecks } from "../../../src/lab/features/drill/session_checks.ts";
import { drillVariants } from "../../../src/lab/features/drill/variants/variants.ts";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { serve } from "../../../src/runtime/serve.ts";
import {
  type Application,
  type Carefulness,
  createApplication,
  drilledClient,
} from "../../support/drilled_application.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { installExamples, installPackage } from "../../support/package.ts";
import { itPasses, onNode, unreachable } from "./run_example.ts";

const script = resolve("tests/examples/drill/drill.sh");
const skip = spawnSync("curl", ["--version"]).status !== 0 && "this machine has no curl";

interface ScriptResult extends CommandResult {
  /** The JUnit XML that the script leaves. */
  xml: string;
}

type ScriptVariables = Readonly<Partial<Record<"LAB" | "START" | "CHECK", string>>>;

/** Runs the script against a lab and an application that listen. */
async function drillBy(
  carefulness: Carefulness,
  variables: ScriptVariables = {},
): Promise<ScriptResult> {
  await using lab = await hallpass({ listen: true });
  const parts: { application?: Application } = {};
  const handle = async (request: Request) =>
    await parts.application?.(request) ?? new Response(null, { status: 503 });
  const server = await serve({ fetch: handle }, { port: 0 });
  const APP = `http://localhost:${server.port}`;
  lab.clients.put(drilledClient(APP));
  parts.application = createApplication(lab, carefulness, APP);
  try {
    return await inFolder(async (folder) => {
      const env = { LAB: `${lab.issuer}/lab`, APP, ...variables };
      const result = await runCommand(["sh", script], { cwd: folder, env, timeout: 60_000 });
      const xml = await readFile(join(folder, "drill.xml"), "utf8").catch(() => "");
      return { ...result, xml };
    });
  } finally {
    await server.close();
  }
}

describe("A script that drills an application in CI", () => {
  it("passes with a careful application, over real sockets", { skip }, async () => {
    const { code, output, xml } = await drillBy("careful");
    assertEquals(code, 0, output);
    assertMatch(xml, /tests="\d+" failures="0"/);
    const names = [
      ...sessionChecks.map(({ id }) => id),
      ...drillVariants.map(({ fault }) => fault),
    ];
    for (const name of names) assertStringIncludes(xml, `name="${name}: `);
  });

  it("fails with a careless one, and shows what it accepted", { skip }, async () => {
    const { code, output } = await drillBy("careless");
    assertEquals(code, 1, output);
    assertStringIncludes(output, 'type="logout_token.alg_none"');
  });

  it("fails if the login does not work", { skip }, async () => {
    const { code, output } = await drillBy("careful", { START: "/none" });
    assertEquals(code, 1, output);
    assertStringIncludes(output, "does not lead to the lab");
  });

  it("fails if no lab is there", { skip }, async () => {
    const { code, output } = await drillBy("careful", { LAB: "http://localhost:1/lab" });
    assertEquals(code, 7, output); // curl's code for a host that it cannot reach
  });

  it("checks another URL than the one that begins a login", { skip }, async () => {
    const { code, output } = await drillBy("careful", { START: "/login", CHECK: "/" });
    assertEquals(code, 0, output);
  });
});

describe("An example of a drill", () => {
  itPasses({
    file: "example.drill.ts",
    command: () => onNode("--test", "--test-reporter=junit", "example.drill.ts"),
    success: new RegExp(`<testsuite [^>]* tests="${drillVariants.length}" failures="0"`),
  });
});

const shopOptions = { skip: unreachable };

/** Runs a command in the folder of the shop, with the Node of the examples. */
async function inShop(
  command: string[],
  env: Record<string, string | undefined>,
): Promise<CommandResult> {
  const cwd = join(await installExamples(), "drill");
  const bin = join(await installPackage(), "node_modules/.bin");
  const PATH = `${dirname(await binary("node@24"))}:${bin}:${process.env.PATH}`;
  // A runner that finds itself inside another one may print nothing.
  const inherited = { PATH, NODE_TEST_CONTEXT: undefined, NO_COLOR: "1" };
  return await runCommand(command, { cwd, env: { ...inherited, ...env }, timeout: 120_000 });
}

describe("The test of a shop that drills its login", () => {
  const test = ["node", "--test", "shop.test.ts"];

  it("passes", shopOptions, async () => {
    const { code, output } = await inShop(test, {});
    assertEquals(code, 0, output);
    assertMatch(output, /pass 1\n/);
  });

  it("fails if the shop accepts an attack, and names it", shopOptions, async () => {
    const { code, output } = await inShop(test, { CARELESS: "1" });
    assertEquals(code, 1, output);
    assertStringIncludes(output, "F callback.unsolicited: ");
  });
});

/** The workflow of the shop, as far as we read it. */
interface DrillWorkflow {
  env: Record<string, string>;
  jobs: { drill: { steps: Array<{ run?: string }> } };
}

describe("The workflow that drills a shop", () => {
  /** Runs its commands up to one that fails, as GitHub does, but for the installation. */
  async function runWorkflow(env: Record<string, string>): Promise<CommandResult> {
    const text = await readFile("tests/examples/drill/drill.yml", "utf8");
    const { env: named, jobs } = parse(text) as DrillWorkflow;
    const [install, ...commands] = jobs.drill.steps.flatMap(({ run }) => run ?? []);
    assertEquals([install, Object.keys(named)], ["npm ci", ["ISSUER", "APP", "PORT"]]);
    const [issuerPort, port] = [await findFreePort(), await findFreePort()];
    return await inShop(["bash", "-e", "-c", commands.join("\n")], {
      ISSUER: `http://localhost:${issuerPort}`,
      APP: `http://localhost:${port}`,
      PORT: String(port),
      ...env,
    });
  }

  it("passes, and keeps the result", shopOptions, async () => {
    const { code, output } = await runWorkflow({});
    assertEquals(code, 0, output);
    assertMatch(output, /^No findings\./m);
    const folder = join(await installExamples(), "drill");
    assertStringIncludes(await readFile(join(folder, "drill.xml"), "utf8"), 'failures="0"');
  });

  it("fails if the shop accepts an attack, and says why it is one", shopOptions, async () => {
    const { code, output } = await runWorkflow({ CARELESS: "1" });
    assertEquals(code, 8, output);
    assertMatch(output, /^F callback\.unsolicited: .*^ {2}Why: RFC 9700/ms);
    assertMatch(output, /^Findings: 1 F\./m);
  });
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
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
import { itPasses, onNode } from "./run_example.ts";

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
    assertStringIncludes(output, 'type="id_token.wrong_nonce"');
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

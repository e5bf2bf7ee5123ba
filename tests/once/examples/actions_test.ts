import { assertEquals, assertMatch, assertNotEquals, assertNotMatch } from "@std/assert";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { installPackage } from "../../support/package.ts";

/** A workflow of GitHub Actions, as far as ours uses its syntax. */
interface Workflow {
  on: string;
  jobs: { test: { "runs-on": string; steps: Step[] } };
}

interface Step {
  uses?: string;
  run?: string;
}

const workflow = parse(await readFile("tests/examples/actions/tests.yml", "utf8")) as Workflow;
const { steps } = workflow.jobs.test;

/** How long the steps may take, in milliseconds. */
const timeout = 5 * 60_000;

/** The tests of an application, which send one request and pass. */
const tests = "await fetch(process.env.ISSUER + process.env.REQUEST);";

/** Runs the commands in a project that has our package, up to one that fails, as GitHub does. */
async function runWorkflow(request: string): Promise<CommandResult> {
  return await inFolder(async (folder) => {
    await cp(await installPackage(), folder, { recursive: true });
    await writeFile(join(folder, "app.test.mjs"), tests);
    await addTestScript(join(folder, "package.json"));
    // As actions/setup-node does.
    const PATH = `${dirname(await binary("node@24"))}:${process.env.PATH}`;
    const script = steps.flatMap(({ run }) => run ?? []).join("\n");
    const env = { PATH, REQUEST: request };
    return await runCommand(["bash", "-e", "-c", script], { cwd: folder, env, timeout });
  });
}

async function addTestScript(path: string): Promise<void> {
  const project = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...project, scripts: { test: "node app.test.mjs" } }));
}

describe("The workflow for GitHub Actions", () => {
  it("has steps that either use an action of GitHub's or run a command", () => {
    assertEquals([workflow.on, workflow.jobs.test["runs-on"]], ["push", "ubuntu-latest"]);
    for (const { uses, run } of steps) {
      assertNotEquals(uses === undefined, run === undefined);
      assertMatch(uses ?? "actions/checkout@v6", /^actions\/[a-z-]+@v\d+$/);
    }
  });

  it("N5: has one line beside the installation", () => {
    const lines = steps.flatMap(({ run }) => run?.split("\n") ?? []);
    assertEquals(lines, ["npm ci", "npx hallpass exec --sign-in alice --report any -- npm test"]);
  });

  it("passes with a client that keeps the rules", async () => {
    const { code, output } = await runWorkflow("/.well-known/openid-configuration");
    assertEquals(code, 0, output);
  });

  it("fails with a client that breaks a rule, and shows which", async () => {
    const { code, output } = await runWorkflow("/oauth2/userinfo?access_token=a-token");
    assertEquals(code, 8, output);
    assertMatch(output, /^D token-in-uri/m);
  });

  it("fails with a client whose requests are all refused, though it is clean", async () => {
    const { code, output } = await runWorkflow("/oauth2/authorize?client_id=unknown");
    assertEquals(code, 8, output);
    assertMatch(output, /^refused client\.known/m);
    assertNotMatch(output, /^(?:attack|rule) /m);
  });

  it("Z3: fails if no request of the application reached the lab", async () => {
    const { code, output } = await runWorkflow("/health");
    assertEquals(code, 5, output);
    assertMatch(output, /^No request reached this lab\.$/m);
  });
});

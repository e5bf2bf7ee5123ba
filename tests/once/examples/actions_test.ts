import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { parse } from "@std/yaml";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { binary } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { installPackage } from "../../support/package.ts";

/** A workflow of GitHub Actions, as far as ours uses its syntax. */
interface Workflow {
  on: string;
  jobs: { test: { "runs-on": string; env: Record<string, unknown>; steps: Step[] } };
}

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, unknown>;
}

const workflow = parse(await readFile("tests/examples/actions/tests.yml", "utf8")) as Workflow;
const { steps, env } = workflow.jobs.test;

const lastStep =
  "Fail if the application broke a rule of OAuth, was refused, or never reached the lab";

/** The tests of an application, which sends one request. */
const tests = 'await fetch("http://localhost:" + process.env.HALLPASS_PORT + process.env.REQUEST);';

/** Runs the commands in a project that has our package, and returns the name of the failing one. */
async function runWorkflow(request: string): Promise<{ failed?: string; output: string }> {
  return await inFolder(async (folder) => {
    await cp(await installPackage(), folder, { recursive: true });
    await writeFile(join(folder, "app.test.mjs"), tests);
    await addTestScript(join(folder, "package.json"));
    // As actions/setup-node does.
    const path = `${dirname(await binary("node@24"))}:${process.env.PATH}`;
    const port = String(await findFreePort());
    const shell = startShell(folder, { PATH: path, HALLPASS_PORT: port, REQUEST: request });
    try {
      return await runSteps(shell);
    } finally {
      shell.stop();
    }
  });
}

async function addTestScript(path: string): Promise<void> {
  const project = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...project, scripts: { test: "node app.test.mjs" } }));
}

async function runSteps({ run }: Shell): Promise<{ failed?: string; output: string }> {
  let failed: string | undefined;
  let output = "";
  for (const step of steps.filter((each) => each.run !== undefined)) {
    if ((step.if === "failure()") !== (failed !== undefined)) continue;
    const result = await run(step.run ?? "");
    output += result.output;
    if (result.code !== 0) failed ??= step.name ?? step.run ?? "";
  }
  return { ...failed !== undefined && { failed }, output };
}

interface Shell {
  run(command: string): Promise<{ code: number | null; output: string }>;
  /** Ends what the commands left running, as GitHub does at the end of a job. */
  stop(): void;
}

/** Runs each command in a shell of its own, as GitHub does where no shell is named. */
function startShell(cwd: string, variables: Record<string, string>): Shell {
  const groups: number[] = [];
  return {
    async run(command) {
      const child = spawn("bash", ["-e", "-c", command], {
        cwd,
        env: { ...process.env, ...variables },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      if (child.pid !== undefined) groups.push(child.pid);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => output += text);
      }
      const [code] = await once(child, "close");
      return { code, output };
    },
    stop: () => groups.forEach(endGroup),
  };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of its processes have ended.
  }
}

describe("The workflow for GitHub Actions", () => {
  it("has steps that either use an action of GitHub's or run a command", () => {
    assertEquals([workflow.on, workflow.jobs.test["runs-on"]], ["push", "ubuntu-latest"]);
    assertEquals(Object.keys(env), ["HALLPASS_PORT"]);
    for (const { uses, run } of steps) {
      assertNotEquals(uses === undefined, run === undefined);
      assertMatch(uses ?? "actions/checkout@v6", /^actions\/[a-z-]+@v\d+$/);
    }
  });

  it("passes with a client that keeps the rules", async () => {
    const { failed, output } = await runWorkflow("/.well-known/openid-configuration");
    assertEquals(failed, undefined, output);
  });

  it("fails with a client that breaks a rule, and shows which", async () => {
    const { failed, output } = await runWorkflow("/oauth2/userinfo?access_token=a-token");
    assertEquals(failed, lastStep, output);
    assertMatch(output, /hallpass ready/);
  });

  it("fails with a client whose requests are all refused, though it is clean", async () => {
    const { failed, output } = await runWorkflow("/oauth2/authorize?client_id=unknown");
    assertEquals(failed, lastStep, output);
    assertMatch(output, /"clean":true/);
  });

  it("Z3: fails if no request of the application reached the lab", async () => {
    const { failed, output } = await runWorkflow("/health");
    assertEquals(failed, lastStep, output);
    assertMatch(output, /"clean":true,"requests":0,"reached":false/);
  });
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import deno from "../../deno.json" with { type: "json" };
import { inFolder } from "../support/folder.ts";
import { listen } from "../support/listen.ts";
import { commandFor, type LaunchedProgram, launchProgram, runProgram } from "../support/program.ts";

/** How this runtime runs `hallpass`, on Deno with the permissions of `deno task exec`. */
const command = commandFor("src/main.ts", deno.tasks.exec.command);

const suite = commandFor("tests/support/suites/ci_suite.mjs", deno.tasks.exec.command);

/** Runs a command with a lab. */
async function exec(options: string[], child: string[], env = {}, input = "") {
  return await runProgram(["exec", ...options, "--", ...child], env, input, command);
}

/** Runs the suite of an application, as the one line of a CI job. */
async function runCi(does: string, options: string[] = []) {
  return await exec(["--sign-in", "alice", "--report", "any", ...options], suite, { DOES: does });
}

describe("hallpass exec in a CI job", () => {
  it("is green for an application whose logins work", async () => {
    const { code, output } = await runCi("works");
    assertEquals(code, 0, output);
    assertMatch(output, /No client broke a rule/);
    assertEquals(output.includes("--report any"), false);
  });

  it("is red for a refused login that the tests did not notice: exit code 8", async () => {
    const { code, output } = await runCi("isRefused");
    assertEquals(code, 8, output);
    assertMatch(output, /refused .*invalid_grant|invalid_grant/s);
  });

  it("is red for an application that breaks a rule, though everything works: exit code 8", async () => {
    for (const demand of ["any", "violations"]) {
      const { code, output } = await runCi("breaksRule", ["--report", demand]);
      assertEquals(code, 8, output);
      assertStringIncludes(output, "state-reused");
    }
  });

  it("is red for a rule that was broken before a reset: exit code 8", async () => {
    const { code, output } = await runCi("breaksRuleBeforeReset", ["--report", "violations"]);
    assertEquals(code, 8, output);
    assertStringIncludes(output, "challenge-reused");
  });

  it("is red if nothing reached the lab: exit code 5", async () => {
    const { code, output } = await runCi("usesAnotherIssuer");
    assertEquals(code, 5, output);
    assertStringIncludes(output, "No request reached this lab.");
    assertStringIncludes(
      output,
      "Tests that open a lab in their own process need no hallpass exec",
    );
  });

  it("is red if the lab cannot start, and then starts no command", async () => {
    await using taken = await listen(createServer(), "localhost");
    const { code, output } = await exec(["--port", String(taken.port)], ["echo", "started"]);
    assertEquals(code, 1, output);
    assertEquals(output.includes("started"), false);
  });

  it("e: writes JUnit XML, in which fails what fails the job", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "report.xml");
      for (const [demand, failures] of [["any", 1], ["violations", 0]]) {
        await runCi("isRefused", ["--report", `${demand}`, "--junit", file]);
        const xml = await readFile(file, "utf8");
        assertStringIncludes(xml, `failures="${failures}"`);
        assertStringIncludes(xml, "The server accepts each request.");
      }
    });
  });

  it("asks only what --report says", async () => {
    const refused = await runCi("isRefused", ["--report", "violations"]);
    assertEquals(refused.code, 0);
    assertMatch(refused.output, /\n1 request was refused; with --report any, the run fails\.\n/);
    const { code, output } = await runCi("breaksRule", ["--report", "off"]);
    assertEquals(code, 0);
    assertEquals(output.includes("state-reused"), false);
  });
});

describe("The command of hallpass exec", () => {
  it("knows where the lab is, and keeps its input, output and exit code", async () => {
    const child = ["sh", "-c", "cat; echo $ISSUER; echo $OIDC at {port}; exit 3"];
    const { code, output } = await exec(["--env", "OIDC={issuer}/"], child, {}, "the input\n");
    assertEquals(code, 3, output);
    const [, issuer, port] = /ISSUER=(http:\/\/localhost:(\d+))/.exec(output) ?? [];
    assertStringIncludes(output, `the input\n${issuer}\n${issuer}/ at ${port}\n`);
  });

  it("writes to standard output alone: the rest of ours goes to standard error", () => {
    const [program = "", ...args] = [...command, "exec", "--", "echo", "only this"];
    const { stdout, status } = spawnSync(program, args, { encoding: "utf8" });
    assertEquals([stdout, status], ["only this\n", 5]);
  });

  it("is named if it cannot be started: exit code 7", async () => {
    const { code, output } = await exec([], ["no-such-program-anywhere"]);
    assertEquals(code, 7, output);
    assertStringIncludes(output, "'no-such-program-anywhere' cannot be started: there is no such");
  });

  it("gets nothing that configures Hallpass itself", async () => {
    const env = { HALLPASS_SECRET: "a-secret-that-no-suite-may-have-at-all" };
    const { code, output } = await exec([], ["sh", "-c", "env | grep -c ^HALLPASS_"], env);
    assertEquals(code, 1, output);
    assertStringIncludes(output, "\n0\n");
  });
});

const skip = process.platform === "win32" && "Windows ends processes in another way";

/** Starts a command that waits, and sends it a signal once it does. */
async function interrupt(script: string, signal: NodeJS.Signals): Promise<LaunchedProgram> {
  const waits = `${script}; sleep 300 & echo waiting as $! on $ISSUER; wait`;
  const program = launchProgram(["exec", "--", "sh", "-c", waits], command);
  await program.line(/^(waiting) as/m);
  program.kill(signal);
  return program;
}

/** Checks that neither the process that a command left nor its lab are there any more. */
async function assertEnded(output: string): Promise<void> {
  const [, pid = "", issuer = ""] = /waiting as (\d+) on (\S+)/.exec(output) ?? [];
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  assertMatch(stdout.trim(), /^(Z|$)/);
  const lab = await fetch(issuer).catch(() => undefined);
  assertEquals(lab, undefined);
}

describe("A signal to hallpass exec", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(
      `${signal} reaches the command, whose exit code counts, and nothing stays`,
      { skip },
      async () => {
        const program = await interrupt(`trap 'echo ${signal}; exit 9' ${signal.slice(3)}`, signal);
        assertEquals(await program.exitCode, 9);
        assertMatch(program.output(), new RegExp(`^${signal}$`, "m"));
        await assertEnded(program.output());
      },
    );

    it(
      `${signal} that ends the command makes 128 and its number the exit code`,
      { skip },
      async () => {
        const program = await interrupt(":", signal);
        assertEquals(await program.exitCode, signal === "SIGINT" ? 130 : 143, program.output());
        await assertEnded(program.output());
      },
    );
  }
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { parseArguments } from "../../src/program/command_line/arguments.ts";
import { commands } from "../../src/program/commands.ts";
import { runCommandLine, terminalWith } from "../support/command_line.ts";
import { inFolder } from "../support/folder.ts";

const variants = ["metadata.wrong_issuer", "callback.wrong_state", "token.malformed_json"];
const only = variants.flatMap((fault) => ["--only", fault]);
const environment = { ...process.env, HALLPASS_SECRET: "a-secret-that-no-suite-may-have-at-all" };

/** Returns the command that runs a suite on this runtime. */
function commandOf(name: string): string[] {
  const file = `tests/support/suites/${name}.mjs`;
  return "Deno" in globalThis
    ? [process.execPath, "run", "--allow-all", "--no-config", file]
    : [process.execPath, file];
}

async function vet(
  options: string[],
  command: string[],
): Promise<{ code: number | undefined; output: string }> {
  const args = ["vet", "--sign-in", "alice", "--env", "ISSUER={issuer}", ...options];
  return await runCommandLine([...args, "--", ...command], environment);
}

/** Runs a suite that does something odd, with a folder of its own. */
async function vetOdd(
  mode: string,
  options: string[] = [],
  folder = ".",
): Promise<{ code: number | undefined; output: string }> {
  const env = ["--env", `MODE=${mode}`, "--env", `FOLDER=${folder}`];
  return await vet([...env, ...options], commandOf("odd_suite"));
}

/** The process that a suite has started. */
function startedPid(folder: string): number {
  return Number(readFileSync(join(folder, "pid"), "utf8"));
}

/** Returns whether a process has not ended; one that nobody asked for its exit code is a zombie. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return !/^(Z|$)/.test(stdout.trim());
}

describe("hallpass vet", () => {
  it("finds what a client tolerates, and one less when one of them is mended", async () => {
    const scores: string[] = [];
    for (const tolerated of ["issuer,state", "issuer,state", "issuer"]) {
      const { code, output } = await vet(
        [...only, "--env", `TOLERATED=${tolerated}`],
        commandOf("login_suite"),
      );
      assertEquals(code, 1, output);
      scores.push(/notice (\d of \d) attacks/.exec(output)?.[1] ?? output);
    }
    assertEquals(scores, ["1 of 3", "1 of 3", "2 of 3"]);
  });

  it("succeeds if the tests notice every attack, with several jobs, too", async () => {
    const { code, output } = await vet([...only, "--jobs", "2"], commandOf("login_suite"));
    assertEquals(code, 0, output);
    assertMatch(output, /each\s+attack\s+that\s+it\s+can\s+meet/);
    assertMatch(output, /^The tests pass without an attack, in .*\. 3 runs under attack: about /m);
    assertMatch(output, /^3\/3 /m);
    assertStringIncludes(output, "Your tests would notice 3 of 3 attacks.");
  });

  it("gives a suite nothing that configures Hallpass itself", async () => {
    const { code, output } = await vetOdd("environment");
    assertEquals(code, 1, output);
    assertStringIncludes(output, "Accepted by the client");
  });
});

describe("A suite that hallpass vet cannot use", () => {
  it("fails: exit code 4, with its last lines and without credentials", async () => {
    const { code, output } = await vetOdd("fails");
    assertEquals(code, 4, output);
    assertStringIncludes(output, "access_token=[redacted] in the output");
  });

  it("sends nothing to the lab: exit code 5", async () => {
    const { code, output } = await vetOdd("silent");
    assertEquals(code, 5, output);
    assertStringIncludes(output, "It may talk to its real issuer");
  });

  it("cannot be started: exit code 7", async () => {
    const { code, output } = await vet([], ["no-such-program-anywhere"]);
    assertEquals(code, 7, output);
    assertMatch(output, /'no-such-program-anywhere' cannot be started: there is no such program/);
  });
});

const skip = process.platform === "win32" && "Windows ends processes in another way";

describe("The processes of a suite", () => {
  it("end with a run that takes too long, which counts as noticed", { skip }, async () => {
    await inFolder(async (folder) => {
      const { code, output } = await vetOdd("hangs", ["--timeout", "3s"], folder);
      assertEquals(code, 0, output);
      assertStringIncludes(output, "notice 1 of 1 attack");
      assertEquals(isRunning(startedPid(folder)), false);
    });
  });

  it("end when vet is interrupted, with exit code 130", { skip }, async () => {
    await inFolder(async (folder) => {
      const { terminal, printed } = terminalWith({ environment });
      let stop: () => Promise<number | void> = () => Promise.resolve();
      const args = ["vet", "--env", "ISSUER={issuer}", "--env", "MODE=waits"];
      const parsed = parseArguments(
        [...args, "--env", `FOLDER=${folder}`, "--", ...commandOf("odd_suite")],
        environment,
        commands,
      );
      if (parsed.kind !== "run") throw new Error("no command");
      const started = new Promise<void>((resolve) => {
        const watcher = watch(folder, () => {
          if (!existsSync(join(folder, "pid"))) return;
          watcher.close();
          resolve();
        });
      });
      const running = parsed.command.run(parsed.invocation, {
        ...terminal,
        onStop(callback) {
          stop = callback;
          return () => {};
        },
      });
      await started;
      assertEquals([await stop(), await running], [130, 130]);
      assertStringIncludes(printed.join("\n"), "Stopped.");
      assertEquals(isRunning(startedPid(folder)), false);
    });
  });
});

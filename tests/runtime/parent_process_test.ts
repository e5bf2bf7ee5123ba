import { assertEquals, assertMatch } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import { isStartedByNpx, parentProblem } from "../../src/program/lab/parent_process.ts";
import { firstMatch } from "../support/present.ts";
import { commandFor } from "../support/program.ts";

/** A lab whose parent can be killed. */
interface LabWithParent {
  issuer: string;
  killParent(): void;
  /** Settles when nobody holds the lab's output open any more. */
  ended: Promise<unknown>;
  output(): string;
}

/** Starts a lab from a shell, which stays its parent: it would be replaced by its last command. */
async function startWithParent(
  args: string[],
  environment: Record<string, string> = {},
): Promise<LabWithParent> {
  const lab = [...commandFor("src/main.ts"), "lab", "--port", "0", ...args];
  const shell = spawn("sh", ["-c", '"$@"; exit $?', "sh", ...lab], {
    env: { ...process.env, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(shell, "close");
  let output = "";
  shell.stderr.on("data", (text) => output += text);
  await new Promise<void>((resolve) => {
    shell.stdout.on("data", (text) => {
      output += text;
      if (/^hallpass ready /m.test(output)) resolve();
    });
    shell.once("close", () => resolve());
  });
  return {
    issuer: firstMatch(output, /^hallpass ready (\S+)/m),
    killParent: () => process.kill(Number(shell.pid), "SIGKILL"),
    ended,
    output: () => output,
  };
}

describe("hallpass lab --with-parent", () => {
  it("ends with the process that started it, even if that was killed", async () => {
    const lab = await startWithParent(["--with-parent"]);
    const headers = { "Content-Type": "application/json" };
    const body = '{"name":"token.slow"}';
    await (await fetch(`${lab.issuer}/lab/faults`, { method: "POST", headers, body })).text();
    lab.killParent();
    await lab.ended;
    const reached = await fetch(`${lab.issuer}/health`).then(() => true, () => false);
    assertEquals(reached, false);
    // It ends as on a signal.
    assertMatch(lab.output(), /warning: .*token\.slow/);
  });

  it("cannot see the end of a parent on Windows, or outside of its container", () => {
    assertMatch(parentProblem(4711, "win32") ?? "", /needs Linux or macOS/);
    assertMatch(parentProblem(0, "linux") ?? "", /a container does/);
    assertEquals(parentProblem(1, "linux"), undefined);
  });
});

describe("hallpass lab, started by npx", () => {
  const byNpx = { npm_lifecycle_event: "npx", npm_lifecycle_script: "'hallpass'" };

  it("ends with the shell of npx, which does not pass on a signal", async () => {
    // On Deno, npx starts Deno, and the lab must be asked to end.
    const lab = await startWithParent("Deno" in globalThis ? ["--with-parent"] : [], byNpx);
    lab.killParent();
    await lab.ended;
    const reached = await fetch(`${lab.issuer}/health`).then(() => true, () => false);
    assertEquals(reached, false);
  });

  it("is told from a script that npx started, and from a script of package.json", () => {
    assertEquals(isStartedByNpx(byNpx), true);
    assertEquals(isStartedByNpx({ ...byNpx, npm_lifecycle_script: "hallpass lab" }), true);
    assertEquals(isStartedByNpx({ ...byNpx, npm_lifecycle_script: "'vitest'" }), false);
    assertEquals(isStartedByNpx({ ...byNpx, npm_lifecycle_event: "lab" }), false);
    assertEquals(isStartedByNpx({}), false);
  });
});

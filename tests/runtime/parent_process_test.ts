import { assertEquals, assertMatch } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { isOrphan, isStartedByNpx, parentProblem } from "../../src/program/lab/parent_process.ts";
import { firstMatch } from "../support/present.ts";
import { commandFor } from "../support/program.ts";
import { needs } from "../support/where_feature.ts";

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

/** Deno shows a session only to a program that may do anything. */
function withAllPermissions(command: string[]): string[] {
  const words = command.filter((word) => !word.startsWith("--allow-"));
  return "Deno" in globalThis ? words.toSpliced(2, 0, "--allow-all") : words;
}

describe("hallpass lab --with-parent", () => {
  it(
    "ends with the process that started it, even if that was killed",
    needs("faults"),
    async () => {
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
    },
  );

  it("K14: is refused if the process that started it has ended already: (hallpass lab &)", async () => {
    const lab = [...withAllPermissions(commandFor("src/main.ts")), "lab", "--port", "0"];
    // The lab begins when the first shell, whose id is $$, is gone.
    const script = '(while kill -0 $$; do :; done 2>/dev/null; exec "$@") &';
    const shell = spawn("sh", ["-c", script, "sh", ...lab, "--with-parent"], {
      // In a session of its own: in a container, the first process may be of the one of this test.
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [output] = await Promise.all([text(shell.stderr), once(shell, "close")]);
    assertMatch(output, /--with-parent needs a process that keeps running/);
  });

  it("K14: may have the first process of a container as its parent", () => {
    const first = { pid: 1, parent: 0, session: 1 };
    assertEquals(isOrphan({ pid: 7, parent: 1, session: 1 }, first), false);
    assertEquals(isOrphan({ pid: 7, parent: 1, session: 7 }, first), false);
    assertEquals(isOrphan({ pid: 7, parent: 1, session: 5 }, first), true);
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

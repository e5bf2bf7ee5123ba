import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { inFolder } from "../../support/folder.ts";
import { commandFor } from "../../support/program.ts";

/** A prompt to wait for, and what is typed then. */
type Line = [prompt: string, typed: string];

/** `script` of util-linux gives a program a terminal. */
const skip = spawnSync("script", ["--version"]).status === 0 ? false : "script is missing";

/** Runs the program on a terminal, types a line at each prompt, and returns what it shows. */
async function runOnTerminal(
  args: string[],
  lines: Line[],
  program: string[] = commandFor("src/main.ts"),
): Promise<string> {
  // The shell of `script` becomes the program: dash would stay, and end with 130 after Ctrl-C.
  const command = `exec ${[...program, ...args].map((word) => `'${word}'`).join(" ")}`;
  const child = spawn("script", ["-q", "-e", "-f", "-c", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, SHELL: "/bin/sh", NO_COLOR: "1" },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 2 * 60_000);
  let shown = "";
  let answered = 0;
  const remaining = [...lines];
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    shown += text;
    const [prompt, typed] = remaining[0] ?? [];
    if (prompt === undefined || !shown.slice(answered).includes(prompt)) return;
    answered = shown.length;
    remaining.shift();
    child.stdin.write(`${typed}\r`);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  child.stdin.destroy();
  return `${shown}[exit code ${code}]`;
}

describe("The program on a terminal", () => {
  it("asks for a password twice, and does not show it", { skip }, async () => {
    const shown = await runOnTerminal(["password"], [
      ["Password: ", "a-secret-word"],
      ["The same again: ", "a-secret-word"],
    ]);
    assert(!shown.includes("a-secret-word"), shown);
    assertMatch(shown, /pbkdf2/);
    assertMatch(shown, /\[exit code 0\]$/);
  });

  it(
    "is that of a command of hallpass exec: what is typed, and Ctrl-C once",
    { skip },
    async () => {
      const script = "test -t 0 && echo at a terminal; read line; echo got $line; " +
        'trap "echo interrupted; exit 9" INT; sleep 60 & echo waiting; wait';
      const exec = commandFor("src/main.ts", deno.tasks.exec.command);
      const shown = await runOnTerminal(
        ["exec", "--", "sh", "-c", script],
        [["at a terminal", "a line"], ["waiting", "\x03"]],
        exec,
      );
      assertMatch(shown, /got a line\s/);
      assertEquals(shown.match(/interrupted/g)?.length, 1, shown);
      assertMatch(shown, /\[exit code 9\]$/);
    },
  );

  it("asks before a removal", { skip }, async () => {
    await inFolder(async (folder) => {
      const store = ["--store", `sqlite:${folder}/a.db`];
      const redirectUri = ["--redirect-uri", "https://app.example/cb"];
      // What needs a permission that it lacks would be asked for here, and nowhere else.
      const added = await runOnTerminal(["client", "add", "app", ...redirectUri, ...store], []);
      assertMatch(added, /\[exit code 0\]$/);
      const kept = await runOnTerminal(["client", "remove", "app", ...store], [["[y/N] ", "n"]]);
      assertMatch(kept, /Nothing was removed\.\s+\[exit code 1\]$/);
      const gone = await runOnTerminal(["client", "remove", "app", ...store], [["[y/N] ", "y"]]);
      assertMatch(gone, /done: client remove app \(1 client\)\s+\[exit code 0\]$/);
      assertEquals(gone.includes("Nothing"), false);
    });
  });
});

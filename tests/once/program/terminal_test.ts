import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { inFolder } from "../../support/folder.ts";
import { commandFor } from "../../support/program.ts";

/** A prompt to wait for, and what is typed then. */
type Line = [prompt: string, typed: string];

/** `script` of util-linux gives a program a terminal. */
const skip = spawnSync("script", ["--version"]).status === 0 ? false : "script is missing";

/** Runs the program on a terminal, types a line at each prompt, and returns what it shows. */
async function runOnTerminal(args: string[], lines: Line[]): Promise<string> {
  const command = [...commandFor("src/main.ts"), ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-q", "-e", "-f", "-c", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 5 * 60_000);
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

  it("asks before a removal", { skip }, async () => {
    await inFolder(async (folder) => {
      const store = ["--store", `sqlite:${folder}/a.db`];
      const redirectUri = ["--redirect-uri", "https://app.example/cb"];
      await runOnTerminal(["client", "add", "app", ...redirectUri, ...store], []);
      const kept = await runOnTerminal(["client", "remove", "app", ...store], [["[y/N] ", "n"]]);
      assertMatch(kept, /Nothing was removed\.\s+\[exit code 1\]$/);
      const gone = await runOnTerminal(["client", "remove", "app", ...store], [["[y/N] ", "y"]]);
      assertMatch(gone, /done: client remove app \(1 client\)\s+\[exit code 0\]$/);
      assertEquals(gone.includes("Nothing"), false);
    });
  });
});

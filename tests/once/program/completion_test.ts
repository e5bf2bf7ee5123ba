import { assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { completionScripts } from "../../../src/program/command_line/completion_scripts.ts";
import { inFolder } from "../../support/folder.ts";
import { commandFor } from "../../support/program.ts";

/** Completes the last word of a command line in bash, as the Tab key does. */
const bash = `${completionScripts.bash}
COMP_WORDS=($1)
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_hallpass
printf '%s\\n' "\${COMPREPLY[@]}"`;

/** The same in fish, which has a command for it. */
const fish = `${completionScripts.fish}
complete -C $argv[1]`;

/** Returns what a shell makes of the last word of a line, where the program is on the PATH. */
async function completed(shell: string, args: string[]): Promise<string[]> {
  let output = "";
  await inFolder(async (folder) => {
    const program = commandFor("src/main.ts").map((word) => `'${word}'`).join(" ");
    await writeFile(join(folder, "hallpass"), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) };
    output = spawnSync(shell, args, { encoding: "utf8", env }).stdout;
  });
  return output.split("\n").filter(Boolean).map((line) => line.split("\t")[0] ?? "").sort();
}

function skipWithout(shell: string): string | false {
  return spawnSync(shell, ["--version"]).error ? `${shell} is missing` : false;
}

describe("The completion of a shell", () => {
  const line = "hallpass client se";
  const next = ["secret", "set"];

  it("works in bash", { skip: skipWithout("bash") }, async () => {
    assertEquals(await completed("bash", ["-c", bash, "bash", line]), next);
  });

  it("works in fish", { skip: skipWithout("fish") }, async () => {
    assertEquals(await completed("fish", ["-c", fish, line]), next);
  });
});

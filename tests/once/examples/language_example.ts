import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import deno from "../../../deno.json" with { type: "json" };
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { fetched, nameOf, reasonNotFetched } from "../../../scripts/downloads.ts";
import { runFolder } from "../../support/package.ts";
import { commandFor } from "../../support/program.ts";
import { type LanguageExample, toolchain } from "./languages.ts";

/** An example in a folder with what it needs, or why it cannot run on this machine. */
export interface PreparedExample extends LanguageExample {
  place: string;
  skip: string | false;
}

/** The first run is slow: Go compiles its library. In milliseconds. */
const timeout = 300_000;

/** Finds where an example was prepared. */
export async function prepareExample(example: LanguageExample): Promise<PreparedExample> {
  const name = nameOf(example);
  const skip = await reasonNotFetched(name);
  return { ...example, skip, place: skip === false ? await fetched(name) : "" };
}

/** Runs an example, with a `hallpass` on the path: by default our sources, which may start programs. */
export async function runExample(
  { command, place }: Pick<PreparedExample, "command" | "place">,
  env: Record<string, string> = {},
  program: readonly string[] = commandFor("src/main.ts", deno.tasks.exec.command),
): Promise<CommandResult> {
  const path = `${await programFolder(program)}:${process.env.PATH}`;
  return await runCommand(command, {
    cwd: place,
    timeout,
    env: { ...toolchain, PATH: path, ...env },
  });
}

/** Returns a folder with a program `hallpass`, which runs a command from any folder. */
async function programFolder(command: readonly string[]): Promise<string> {
  const folder = join(runFolder, "bin");
  const words = command.map((word) => `'${existsSync(word) ? resolve(word) : word}'`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "hallpass"), `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  await chmod(join(folder, "hallpass"), 0o755);
  return folder;
}

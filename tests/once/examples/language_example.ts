import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { type CommandResult, runCommand } from "../../../scripts/child.ts";
import { runFolder } from "../../support/package.ts";
import { commandFor } from "../../support/program.ts";

/** An example in another language, with its own tests. */
export interface LanguageExample {
  /** The folder in tests/examples. */
  folder: string;
  language: Language;
  /** The command that runs the tests. */
  command: string[];
  /** The command that fetches what the tests need, if they need something. */
  install?: string[];
  /** The examples whose helpers it uses. */
  uses?: string[];
  /** Whether the command fetches that itself. It is run once, when the example is prepared. */
  fetches?: boolean;
}

/** The tools of a language. */
export interface Language {
  /** Prints its version; the number that `version` finds must be at least `atLeast`. */
  tool: string[];
  version: RegExp;
  atLeast: number;
}

/** Java, with Maven. */
export const java: Language = {
  tool: ["mvn", "-v"],
  version: /Java version: (\d+)/,
  atLeast: 17,
};

/** An example in a folder of its own, or why it cannot run on this machine. */
export interface PreparedExample extends LanguageExample {
  place: string;
  skip: string | false;
  /** What came of the tests, if they have run. */
  result?: CommandResult;
}

/**
 * The first run is slow: Go compiles its library, and Maven fetches its plugins. In milliseconds.
 */
const timeout = 300_000;

/** Java optimizes little, since each of its processes is short. */
const toolchain = {
  GOTOOLCHAIN: "local",
  JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
};

/** What pip, Go and Maven print if their registry cannot be reached. */
const unreachable =
  /Name or service not known|name resolution|Unknown host|no such host|dial tcp|Connection refused|Connect(ion)? timed? ?out|NewConnectionError|ProxyError|Network is unreachable|offline mode/i;

/** The examples are side by side there, as in the repository. */
const languagesFolder = join(runFolder, "languages");

/** Copies an example to a folder of its own, and fetches what it needs. */
export async function prepareExample(example: LanguageExample): Promise<PreparedExample> {
  const place = join(languagesFolder, example.folder);
  const skip = reasonToSkip(example.language);
  if (skip !== false) return { ...example, place, skip };
  for (const folder of [example.folder, ...example.uses ?? []]) {
    await cp(join("tests/examples", folder), join(languagesFolder, folder), { recursive: true });
  }
  if (example.fetches) return await runPrepared({ ...example, place, skip });
  return { ...example, place, skip: await install(example, place) };
}

/** Runs an example that fetches what it needs. */
async function runPrepared(example: PreparedExample): Promise<PreparedExample> {
  const result = await runExample(example);
  const failed = result.code !== 0 && unreachable.test(result.output);
  return { ...example, result, skip: failed && reasonUnreachable(example.language) };
}

/** Runs an example, with a `hallpass` on the path. */
export async function runExample(
  { command, place, result }: PreparedExample,
  env: Record<string, string> = {},
): Promise<CommandResult> {
  if (result !== undefined) return result;
  const path = `${await programFolder()}:${process.env.PATH}`;
  return await run(command, place, { PATH: path, ...env });
}

async function run(command: string[], cwd: string, env: Record<string, string> = {}) {
  return await runCommand(command, { cwd, timeout, env: { ...toolchain, ...env } });
}

/** Returns why the tools of a language cannot be used on this machine, or false. */
export function reasonToSkip({ tool, version, atLeast }: Language): string | false {
  const [program = "", ...args] = tool;
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, GOTOOLCHAIN: "local" },
  });
  const found = version.exec(`${stdout}${stderr}`)?.[1];
  if (found === undefined) return `this machine has no '${tool.slice(0, -1).join(" ")}'`;
  return Number(found) < atLeast &&
    `'${program}' has version ${found}; version ${atLeast} is required`;
}

/** Returns why the libraries of an example cannot be fetched, or false. */
async function install({ install: command, language }: LanguageExample, place: string) {
  if (command === undefined) return false;
  const { code, output } = await run(command, place);
  if (code === 0) return false;
  if (unreachable.test(output)) return reasonUnreachable(language);
  throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${output}`);
}

function reasonUnreachable({ tool }: Language): string {
  return `the registry of '${tool[0]}' cannot be reached`;
}

/** Returns a folder with a program `hallpass`, which runs our sources. */
async function programFolder(): Promise<string> {
  const folder = join(languagesFolder, "bin");
  const command = commandFor("src/main.ts");
  const words = [...command.slice(0, -1), resolve(command.at(-1) ?? "")].map((word) => `'${word}'`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "hallpass"), `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  await chmod(join(folder, "hallpass"), 0o755);
  return folder;
}

import { access } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { version } from "../../../runtime/version.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { startCommand } from "../../processes/child_process.ts";
import { failure, success } from "../../terminal/exit_code.ts";
import { installLine, publishedVersion } from "../../terminal/installation.ts";
import { type StartedBy, startedBy } from "../../terminal/own_name.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { configFile, type Project } from "./project.ts";

const exec = `exec --config ${configFile} --`;

/** How each package manager adds a package, by its lock file. */
const managers: ReadonlyArray<readonly [lock: RegExp, add: string]> = [
  [/^pnpm-lock\.yaml$/, "pnpm add --save-dev"],
  [/^yarn\.lock$/, "yarn add --dev"],
  [/^bun\.lockb?$/, "bun add --dev"],
  [/^/, "npm install --save-dev"],
];

/** Where the package and the program come from. */
interface Origin {
  /** What a package manager adds; undefined if there is nothing to add. */
  source?: string | undefined;
  /** What makes the source first. */
  making?: readonly string[];
  /** What runs `hallpass exec`. */
  program: readonly string[];
}

/** Runs the first test, if the package is there or can be had; otherwise prints how. */
export async function runFirstTest(
  { folder, files, starter }: Project,
  from: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const isThere = await access(join(folder, "node_modules/hallpass")).then(() => true, () => false);
  const origin = originOf(isThere, from);
  const needsSource = starter.usesPackage && !isThere && origin.source === undefined;
  if (needsSource) {
    terminal.print(`The package is not published yet. Now run: ${installLine()}`);
  }
  if (starter.needs !== undefined) terminal.print(starter.needs);
  const { PATH } = terminal.environment;
  // Without a search path, no runner is found.
  const mayRun = mayStart() && PATH !== undefined && !needsSource;
  const [program = ""] = starter.run.split(" ");
  const canRun = mayRun && await isProgram(program, folder, PATH);
  if (mayRun && !canRun) {
    const install = starter.install === undefined ? "." : `: ${starter.install}`;
    terminal.print(
      `The first test of ${starter.runner} needs '${program}', which is not there${install}`,
    );
  }
  for (const step of firstRunSteps({ files, starter }, origin)) {
    terminal.print(`${canRun ? "Running" : "Now run"}: ${step.map(shellQuote).join(" ")}`);
    if (canRun && !await succeeds(step, folder, terminal)) return failure;
  }
  return mayRun && !canRun ? failure : success;
}

/** Whether a program may be in its folder, or in one of the search path. */
async function isProgram(program: string, folder: string, path: string): Promise<boolean> {
  // On Windows, whose paths have another delimiter, programs have further names.
  if (delimiter === ";") return true;
  const folders = program.includes("/") ? [folder] : path.split(delimiter);
  const paths = folders.map((each) => join(each, program));
  const isThere = (each: string) =>
    access(each).then(() => true, (cause) => cause.code !== "ENOENT");
  return (await Promise.all(paths.map(isThere))).includes(true);
}

/** Returns the package of the registry; before the first release, the program that runs. */
export function originOf(
  isThere: boolean,
  from: string | undefined,
  { script, runtime, last }: StartedBy & { last: string } = {
    ...startedBy(),
    last: publishedVersion,
  },
): Origin {
  if (isThere) return { program: ["npx", "hallpass"] };
  const registry = last === "" ? undefined : `hallpass@${version}`;
  const source = from === undefined ? registry : resolve(from);
  if (source !== undefined) {
    return { source, program: ["npx", "--yes", "--package", source, "hallpass"] };
  }
  const archive = `hallpass-${version}.tgz`;
  const path = script?.replaceAll("\\", "/") ?? "";
  if (path.endsWith("/src/main.ts")) {
    const config = join(dirname(dirname(path)), "deno.json");
    return {
      source: join(dirname(config), "dist", archive),
      making: ["npx", "-y", "deno", "task", "--config", config, "build"],
      program: [runtime, "run", "-A", "--config", config, path],
    };
  }
  if (path.endsWith("/main.mjs")) {
    return {
      source: `./${archive}`,
      making: ["npm", "pack", "--silent", dirname(path)],
      program: [runtime, path],
    };
  }
  return { program: [runtime] };
}

/** Returns the commands that install the package, if need be, and run the first test. */
export function firstRunSteps(
  { files, starter: { run, usesPackage } }: Pick<Project, "files" | "starter">,
  { source, making, program }: Origin,
): string[][] {
  const test = run.split(" ");
  const add = managers.find(([lock]) => files.some((file) => lock.test(file)))?.[1] ?? "";
  if (!usesPackage) return [[...program, ...exec.split(" "), ...test]];
  if (source === undefined || !files.includes("package.json")) return [test];
  return [...making ? [[...making]] : [], [...add.split(" "), source], test];
}

/** Returns the command that runs the first test in CI. */
export function ciLine({ starter: { run, usesPackage } }: Project): string {
  return usesPackage ? run : `npx hallpass ${exec} ${run}`;
}

/** Deno asks for this permission, which few tasks have. */
function mayStart(): boolean {
  if (!("Deno" in globalThis)) return true;
  return Deno.permissions.querySync({ name: "run" }).state === "granted";
}

async function succeeds(
  step: readonly string[],
  folder: string,
  { environment }: Terminal,
): Promise<boolean> {
  const { ended } = await startCommand(step, environment, folder);
  return (await ended).code === 0;
}

import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../../runtime/version.ts";
import { shellQuote } from "../../../server/util/text/shell_quote.ts";
import { startCommand } from "../../processes/child_process.ts";
import { failure, success } from "../../terminal/exit_code.ts";
import { ownName } from "../../terminal/own_name.ts";
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

/** Runs the first test, if the package is there or can be had; otherwise prints how. */
export async function runFirstTest(
  { folder, files, starter }: Project,
  from: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const isThere = await access(join(folder, "node_modules/hallpass")).then(() => true, () => false);
  const source = from === undefined ? `hallpass@${version}` : resolve(from);
  // The registry has the version of a program that came from there.
  const canRun = mayStart() && (isThere || from !== undefined || ownName() === "npx hallpass");
  for (const step of firstRunSteps({ files, starter }, { source, isThere })) {
    terminal.print(`${canRun ? "Running" : "Now run"}: ${step.map(shellQuote).join(" ")}`);
    if (canRun && !await succeeds(step, folder, terminal)) return failure;
  }
  return success;
}

/** Returns the commands that install the package, if need be, and run the first test. */
export function firstRunSteps(
  { files, starter: { run, usesPackage } }: Pick<Project, "files" | "starter">,
  { source, isThere }: { source: string; isThere: boolean },
): string[][] {
  const test = run.split(" ");
  const add = managers.find(([lock]) => files.some((file) => lock.test(file)))?.[1] ?? "";
  const program = isThere ? ["npx"] : ["npx", "--yes", "--package", source];
  return [
    ...usesPackage && !isThere && files.includes("package.json")
      ? [[...add.split(" "), source]]
      : [],
    usesPackage ? test : [...program, "hallpass", ...exec.split(" "), ...test],
  ];
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
  const { ended } = await startCommand(step, environment, "shared", folder);
  return (await ended).code === 0;
}

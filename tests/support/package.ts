import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { runCommand } from "../../scripts/child.ts";

/** A folder of the whole test run, away from our own configuration; whoever runs the tests takes it away. */
export const outside = join(
  tmpdir(),
  `hallpass-${basename(dirname(process.env.HALLPASS_TEST_MAIN ?? String(process.pid)))}`,
);

/** A folder in which a stranger installed our package: packed, and put there without a network. It is made once for all runtimes. */
export async function installPackage(): Promise<string> {
  const place = join(outside, "package");
  if (existsSync(place)) return place;
  const work = `${place}-${process.pid}`;
  await mkdir(work, { recursive: true });
  await writeFile(join(work, "package.json"), JSON.stringify({ type: "module" }));
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  await succeed([
    deno,
    "run",
    "--cached-only",
    "--allow-all",
    "--no-check",
    "scripts/build.ts",
    join(work, "built"),
  ], process.cwd());
  await succeed(["npm", "pack", "--pack-destination", work], join(work, "built"));
  await rm(join(work, "built"), { recursive: true });
  const [packed] = (await succeed(["ls"], work)).match(/hallpass-.*\.tgz/)!;
  await succeed(["npm", "install", "--offline", "--no-audit", "--no-fund", packed], work);
  // Another process may have been faster.
  await rename(work, place).catch(() => rm(work, { recursive: true }));
  return place;
}

/** The examples as they lie in somebody's project: with our package, and with the runners and libraries that they name. */
export async function installExamples(): Promise<string> {
  const place = join(outside, "examples");
  if (existsSync(place)) return place;
  const work = `${place}-${process.pid}`;
  await cp("tests/examples", work, { recursive: true });
  await succeed(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], work);
  await cp(
    join(await installPackage(), "node_modules/hallpass"),
    join(work, "node_modules/hallpass"),
    { recursive: true },
  );
  await rename(work, place).catch(() => rm(work, { recursive: true }));
  return place;
}

/** The program as one file, made by the command of the task but for the place. It is made once for all runtimes. */
export async function compileProgram(): Promise<string> {
  const place = join(outside, "hallpass");
  if (existsSync(place)) return place;
  const { tasks } = JSON.parse(await readFile("deno.json", "utf8"));
  const work = `${place}-${process.pid}`;
  await mkdir(outside, { recursive: true });
  const command: string[] = tasks.compile.command.split(" ");
  await succeed(command.map((word) => word === "dist/hallpass" ? work : word), process.cwd());
  await rename(work, place);
  return place;
}

/** Runs a program that is expected to end well, and gives back what it said. */
export async function succeed(
  command: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { code, output } = await runCommand(command, { cwd, env, timeout: 300_000 });
  if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${output}`);
  return output;
}

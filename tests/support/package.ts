import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { type CommandResult, compile, compiler, runCommand, succeed } from "../../scripts/child.ts";
import { fetched, runFolder as folderOfRun } from "../../scripts/downloads.ts";

/** A folder of this test run, away from our own configuration; the test runner deletes it. */
export const runFolder: string = folderOfRun();

/**
 * Makes a file or a folder, unless it is there. Processes of a test run that need the same one wait
 * for the first of them.
 */
async function madeOnce(path: string, make: (work: string) => Promise<void>): Promise<string> {
  const [lock, work] = [`${path}.lock`, `${path}-${process.pid}`];
  await mkdir(runFolder, { recursive: true });
  while (!existsSync(path)) {
    if (await mkdir(lock).then(() => true, () => false)) {
      try {
        // It may be there since the loop has looked.
        if (existsSync(path)) break;
        await make(work);
        await rename(work, path);
      } finally {
        await rm(lock, { recursive: true });
      }
    } else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return path;
}

/** Packs our package, installs it in a folder without a network, and returns the folder. */
export function installPackage(): Promise<string> {
  return madeOnce(join(runFolder, "package"), async (work) => {
    await mkdir(work, { recursive: true });
    await writeFile(join(work, "package.json"), JSON.stringify({ type: "module" }));
    const built = process.env.HALLPASS_TEST_PACKAGE ?? await buildPackage(join(work, "built"));
    await succeed(["npm", "pack", "--pack-destination", work], built);
    await rm(join(work, "built"), { recursive: true, force: true });
    const packed = await packedIn(work);
    await succeed(["npm", "install", "--offline", "--no-audit", "--no-fund", packed], work);
  });
}

async function buildPackage(folder: string): Promise<string> {
  const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
  const flags = ["--cached-only", "--allow-all", "--no-check"];
  await succeed([deno, "run", ...flags, "scripts/build.ts", folder]);
  return folder;
}

/** Packs our package, and returns the path of the archive. */
export async function packPackage(): Promise<string> {
  const folder = await installPackage();
  return join(folder, await packedIn(folder));
}

async function packedIn(folder: string): Promise<string> {
  const packed = (await readdir(folder)).find((name) => /^hallpass-.*\.tgz$/.test(name));
  if (packed === undefined) throw new Error(`There is no archive in ${folder}.`);
  return packed;
}

/**
 * Copies the examples to a folder, with our package and the runners and libraries that they name,
 * which the suites of other projects use as well.
 */
export function installExamples(): Promise<string> {
  return installProject("tests/examples");
}

/** Copies the projects that load our package in other ways to a folder, with what they need. */
export function installLoaders(): Promise<string> {
  return installProject("tests/loaders");
}

async function installProject(source: string): Promise<string> {
  const name = basename(source);
  const folder = await madeOnce(join(runFolder, name), async (work) => {
    // With what was copied beside it.
    await rename(dirname(await fetched(source)), work);
    await cp(
      join(await installPackage(), "node_modules/hallpass"),
      join(work, name, "node_modules/hallpass"),
      { recursive: true },
    );
  });
  return join(folder, name);
}

/** Compiles the program with the command of `deno task compile`, and returns the binary. */
export function compileProgram(): Promise<string> {
  return madeOnce(join(runFolder, "hallpass"), async (work) => {
    await compile(work);
  });
}

/** Returns a folder like `node_modules` with packages that were fetched for their types. */
export async function unpackTypes(...packages: string[]): Promise<string> {
  const types = join(runFolder, `types-${process.pid}`);
  for (const name of packages) {
    const folder = join(types, name.replace(/@[^@]*$/, ""));
    await mkdir(folder, { recursive: true });
    const archive = (await readdir(await fetched(name))).find((file) => file.endsWith(".tgz"));
    const path = join(await fetched(name), archive ?? "");
    await succeed(["tar", "xzf", path, "--strip-components=1", "-C", folder], folder);
  }
  return types;
}

/** Checks the types of files in a folder, with the packages of its `node_modules`. */
export async function checkTypes(folder: string, files: readonly string[]): Promise<CommandResult> {
  const options = "--ignoreConfig --noEmit --strict --skipLibCheck --target esnext" +
    " --module nodenext --allowImportingTsExtensions --lib esnext,dom,dom.iterable";
  const command = [...compiler, ...options.split(" "), ...files];
  return await runCommand(command, { cwd: folder, timeout: 120_000 });
}

import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runCommand } from "../../../scripts/child.ts";
import { outage } from "../../../scripts/downloads.ts";
import type { Toolchain } from "../entry.ts";

const sources = "tests/corpus";
const minute = 60_000;

/** Where the libraries of the corpus are installed: outside of the project, and kept. */
export const cacheFolder: string = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "hallpass-corpus",
);

/** Thrown if a registry cannot be reached, which is no fault of ours. */
export class RegistryOutage extends Error {}

const installing = new Map<Toolchain, Promise<string>>();

/** Installs what a toolchain pins, unless it is in the cache, and returns its folder there. */
export function installed(toolchain: Toolchain): Promise<string> {
  const known = installing.get(toolchain) ?? install(toolchain);
  installing.set(toolchain, known);
  return known;
}

async function install({ folder, pinned, install: command }: Toolchain): Promise<string> {
  const source = join(sources, folder);
  const texts = await Promise.all(pinned.map((file) => readFile(join(source, file))));
  const hash = createHash("sha256").update(JSON.stringify([command, texts.map(String)]));
  const name = `${folder.replaceAll("/", "_")}-${hash.digest("hex").slice(0, 12)}`;
  const target = join(cacheFolder, name);
  const done = join(target, ".installed");
  await mkdir(target, { recursive: true });
  await cp(source, target, { recursive: true, filter: isSource });
  if (await readFile(done).then(() => true, () => false)) return target;
  const { code, output, timedOut } = await runCommand(command, {
    cwd: target,
    timeout: 20 * minute,
  });
  if (code !== 0) {
    if (timedOut || outage.test(output)) throw new RegistryOutage(`${folder} cannot be installed`);
    throw new Error(`Cannot install ${folder}: ${output.slice(-2000)}`);
  }
  await writeFile(`${done}.new`, "");
  await rename(`${done}.new`, done);
  return target;
}

function isSource(path: string): boolean {
  return !/node_modules|\.venv|__pycache__|\/target(\/|$)/.test(path);
}

/** Whether this machine has the tools of a toolchain. */
export async function isAvailable({ probe }: Toolchain): Promise<boolean> {
  return (await runCommand(probe, { timeout: minute })).code === 0;
}

/** Does with a release what strangers will do, up to the upload. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { succeed } from "../child.ts";
import { runFolder } from "../downloads.ts";
import { checkExports, packageManagers, tryLab, tryNpx, tryPackageManager } from "./projects.ts";
import { openRegistry } from "./registry.ts";

/** One thing that a release must pass. */
interface Step {
  title: string;
  /** Returns what it could not show, if anything. */
  run(): Promise<string | void>;
}

/** What a rehearsal names as its repository, where no workflow does. The name is reserved. */
export const rehearsedRepository: Readonly<Record<string, string>> = {
  GITHUB_SERVER_URL: process.env.GITHUB_SERVER_URL || "https://git.example",
  GITHUB_REPOSITORY: process.env.GITHUB_REPOSITORY || "rehearsal/hallpass",
};

/** Only an upload, or an account, shows the rest. */
const notRehearsed =
  "Not rehearsed: provenance and trusted publishing, which a registry on this machine cannot check; " +
  "the real base images, which were not pulled; binaries for other machines.";

/** Rehearses a release that was made in a folder, and returns the exit code. */
export async function rehearse(made: string, version: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-rehearsal-"));
  try {
    await using registry = await openRegistry(join(folder, "registry"));
    const archive = resolve(made, `hallpass-${version}.tgz`);
    const failed = await runSteps([
      { title: "publish the package", run: () => registry.publish(archive) },
      ...installations(folder, registry.url, version),
      ...uploads(folder, made),
    ]);
    console.log(notRehearsed);
    return failed > 0 ? 1 : 0;
  } finally {
    for (const each of [folder, runFolder()]) await rm(each, { recursive: true, force: true });
  }
}

/** Runs each step, even after one that failed, and returns how many failed. */
async function runSteps(steps: readonly Step[]): Promise<number> {
  let failed = 0;
  for (const { title, run } of steps) {
    const began = performance.now();
    const result = await run().catch((cause) => {
      failed++;
      return `FAILED\n${cause instanceof Error ? cause.message : cause}`;
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${title}: ${result ?? "passed"} (${seconds} s)`);
  }
  return failed;
}

function installations(folder: string, registry: string, version: string): Step[] {
  const projectOf = (name: string) => join(folder, name);
  return [
    ...packageManagers.map((manager) => ({
      title: `install it with ${manager.name}, and run the first test`,
      run: () => tryPackageManager(manager, { project: projectOf(manager.name), registry }),
    })),
    { title: "check the types of each export", run: () => checkExports(projectOf("npm")) },
    {
      title: "npx hallpass --version, npx hallpass lab",
      run: () => tryNpx({ folder: projectOf("npx"), registry, version }),
    },
  ];
}

function uploads(folder: string, made: string): Step[] {
  return [
    {
      title: "start the binary in an empty folder",
      run: async () => {
        const empty = await mkdtemp(join(folder, "empty-"));
        await tryLab(["env", "-C", empty, resolve(made, `hallpass-${await ownTarget(made)}`)]);
      },
    },
    { title: "build and run the image, on a base of Debian packages", run: tryImage },
    {
      title: "publish to JSR, as a dry run",
      run: async () => {
        await succeed([process.execPath, "publish", "-q", "--dry-run", "--allow-dirty"]);
      },
    },
  ];
}

/** Returns the target of this machine, if the release has a binary for it. */
async function ownTarget(made: string): Promise<string> {
  const target = `${process.platform}-${process.arch}`;
  const sums = await readFile(join(made, "SHA256SUMS"), "utf8");
  if (!sums.includes(`hallpass-${target}\n`)) throw new Error(`There is no binary for ${target}.`);
  return target;
}

async function tryImage(): Promise<string | void> {
  const tests = ["scripts/run_tests.ts", "--only", "once", "deploy/image_test"];
  const output = await succeed([process.execPath, "run", "--allow-all", ...tests]);
  if (!/^1 passed, 0 failed, 0 skipped$/m.test(output)) return `skipped\n${output.trim()}`;
}

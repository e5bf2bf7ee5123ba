/** Does what a person and the workflow do to release a version, then what strangers do with it. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import deno from "../../deno.json" with { type: "json" };
import published from "../../static/published.json" with { type: "json" };
import { runCommand, succeed } from "../child.ts";
import { runFolder } from "../downloads.ts";
import { checkExports, packageManagers, tryLab, tryNpx, tryPackageManager } from "./projects.ts";
import { openRegistry } from "./registry.ts";

/** One thing that a release must pass. */
interface Step {
  title: string;
  /** Returns what it could not show, if anything. */
  run(): Promise<string | void>;
}

/** What the workflow of a release has in its environment. The names are reserved. */
const workflow: Readonly<Record<string, string>> = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://git.example",
  GITHUB_REPOSITORY: "rehearsal/hallpass",
  HAS_NPM_TOKEN: "true",
  BUILD_IMAGE: `node:24-slim@sha256:${"0".repeat(64)}`,
  BASE_IMAGE: `debian:bookworm-slim@sha256:${"0".repeat(64)}`,
};

/** Only an upload, or an account, shows the rest. */
const notRehearsed =
  "Not rehearsed: provenance and trusted publishing, which a registry on this machine cannot check; " +
  "the real base images, which were not pulled; binaries for other machines.";

/** Rehearses the release of the last commit in a copy, and returns the exit code. */
export async function rehearse(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-rehearsal-"));
  const copy = join(folder, "hallpass");
  const task = (...args: string[]) =>
    succeed([process.execPath, "task", "--quiet", ...args], copy, workflow);
  try {
    await using registry = await openRegistry(join(folder, "registry"));
    const version = nextVersion();
    const made = join(copy, "dist/release");
    const archive = join(made, `hallpass-${version}.tgz`);
    const failed = await runSteps([
      { title: "copy the last commit", run: () => copyCommit(copy) },
      {
        title: `deno task release --prepare ${version}`,
        run: async () => void await task("release", "--prepare", version),
      },
      {
        title: "deno task release: check, package, binaries, checksums, notes",
        run: async () => void await task("release"),
      },
      { title: "publish the package", run: () => registry.publish(archive) },
      ...installations(folder, registry.url, version),
      ...uploads(folder, copy, made),
      { title: "build the site", run: () => trySite(copy, task) },
    ]);
    console.log(notRehearsed);
    return failed > 0 ? 1 : 0;
  } finally {
    for (const each of [folder, runFolder()]) await rm(each, { recursive: true, force: true });
  }
}

/** The version of the sources, or what follows if that was published. */
function nextVersion(): string {
  const { version } = deno;
  return version === published.version
    ? version.replace(/\d+$/, (last) => `${+last + 1}`)
    : version;
}

/** Copies what was committed, and names a repository. */
async function copyCommit(copy: string): Promise<string> {
  await succeed(["git", "clone", "--quiet", ".", copy]);
  await succeed([process.execPath, "install", "--frozen", "--quiet"], copy);
  const git = (...args: string[]) => succeed(["git", "-C", copy, ...args]);
  await git("config", "user.name", "Rehearsal");
  await git("config", "user.email", "rehearsal@git.example");
  const path = join(copy, "deno.json");
  const repository = `${workflow.GITHUB_SERVER_URL}/${workflow.GITHUB_REPOSITORY}`;
  const { repository: _, ...settings } = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, `${JSON.stringify({ ...settings, repository }, undefined, 2)}\n`);
  await writeFile(
    join(copy, ".github/CHANGELOG.md"),
    `# Changelog\n\n## ${nextVersion()} - unreleased\n\n- A rehearsal.\n`,
  );
  await git("commit", "--quiet", "--all", "--message", "Rehearse a release");
  return (await git("log", "-1", "--skip=1", "--format=%h %s")).trim();
}

/** The site of a release says how to install what it has. */
async function trySite(
  copy: string,
  task: (...args: string[]) => Promise<string>,
): Promise<void> {
  await task("site", "dist/site");
  const page = await readFile(join(copy, "dist/site/index.html"), "utf8");
  if (!page.includes("npm install --save-dev hallpass")) throw new Error("It has no install line.");
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

function uploads(folder: string, copy: string, made: string): Step[] {
  return [
    {
      title: "start the binary in an empty folder",
      run: async () => {
        const empty = await mkdtemp(join(folder, "empty-"));
        await tryLab(["env", "-C", empty, resolve(made, `hallpass-${await ownTarget(made)}`)]);
      },
    },
    { title: "build and run the image", run: () => tryImage(copy) },
    {
      title: "publish to JSR, as a dry run",
      run: async () => {
        await succeed([process.execPath, "publish", "-q", "--dry-run", "--no-check"], copy);
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

/** Builds the image with Docker, or without its daemon with buildah, on a base of Debian packages. */
async function tryImage(copy: string): Promise<string | void> {
  const hasDaemon = await runCommand(["docker", "info"], { timeout: 30_000 });
  if (hasDaemon.code === 0) {
    const tag = "hallpass:rehearsal";
    await succeed(["docker", "build", "-f", "scripts/Dockerfile", "-t", tag, "."], copy);
    return `passed: ${(await succeed(["docker", "run", "--rm", tag, "--version"])).trim()}`;
  }
  const tests = ["scripts/run_tests.ts", "--only", "once", "deploy/image_test"];
  const output = await succeed([process.execPath, "run", "--allow-all", ...tests], copy);
  if (!/^1 passed, 0 failed, 0 skipped$/m.test(output)) return `skipped\n${output.trim()}`;
  return "passed, with buildah";
}

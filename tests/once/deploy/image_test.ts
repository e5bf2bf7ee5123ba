import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { compileProgram, succeed } from "../../support/package.ts";
import { runProgram, startProgram } from "../../support/program.ts";

/**
 * Runs the program of an image as a container does that is started with --read-only: as the user of
 * the image, and with /data alone to write to.
 */
const contain = `
  set -e
  root=$1; shift
  mount --bind "$root" "$root"
  mount --bind /proc "$root/proc"
  mount --bind /dev "$root/dev"
  mount -o remount,bind,ro "$root"
  mount -t tmpfs -o uid=10001 tmpfs "$root/data"
  exec chroot --userspec=10001:10001 "$root" /usr/local/bin/hallpass "$@"`;

const folder = await mkdtemp(join(tmpdir(), "hallpass-image-"));
const skip = missingTools() ?? await makeBase(join(folder, "base"));

describe("The image, on a base from Debian's packages", () => {
  it(
    "is built from the Dockerfile, and runs as its user with a read-only root",
    { skip },
    async () => {
      try {
        const command = commandIn(await buildImage());
        const env = { HALLPASS_LAB_TOKEN: "x".repeat(32) };
        const lab = await startProgram(["lab", "--port", "0"], env, command);
        const url = `${lab.issuer}/health`;
        const health = await runProgram(["health", "--url", url], {}, "", command);
        assertEquals([await lab.stop(), health.code], [0, 0], health.output);

        const add = [
          "client",
          "add",
          "app",
          "--redirect-uri",
          "https://app.example/cb",
          "--issuer",
        ];
        const inData = [...add, "https://id.example", "--store", "sqlite:/data/a.db"];
        assertEquals((await runProgram(inData, {}, "", command)).code, 0);
        const elsewhere = [...add, "https://id.example", "--store", "sqlite:/var/a.db"];
        assertMatch(
          (await runProgram(elsewhere, {}, "", command)).output,
          /read-only file system/i,
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});

function missingTools(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can make the base of the image";
  const missing = ["buildah", "debootstrap", "unshare"].find((tool) =>
    spawnSync(tool, ["--version"]).error
  );
  return missing && `${missing} is missing: apt-get install buildah debootstrap util-linux`;
}

/** Installs a small Debian in a folder. Returns why that is impossible here, or false. */
async function makeBase(base: string): Promise<string | false> {
  const [, codename = ""] = /^VERSION_CODENAME=(.+)$/m
    .exec(await readFile("/etc/os-release", "utf8")) ?? [];
  const targets = ["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)"];
  const { output } = await runCommand(targets, { timeout: 60_000 });
  const mirror = output.split("\n").find((line) => line.endsWith(` ${codename}`))?.split(" ")[0];
  if (mirror === undefined) return "apt-get knows no mirror";
  const bootstrap = ["debootstrap", "--variant=minbase", codename, base, mirror];
  const { code, output: log } = await runCommand(bootstrap, { timeout: 600_000 });
  return code !== 0 && `debootstrap failed: ${log.trim().split("\n").at(-1)}`;
}

/** Builds the image as the Dockerfile says, and returns the folder with its files. */
async function buildImage(): Promise<string> {
  const buildah = (...args: string[]) =>
    succeed([
      ...["buildah", "--storage-driver", "vfs"],
      ...["--root", join(folder, "store"), "--runroot", join(folder, "run"), ...args],
    ], process.cwd());
  const base = (await buildah("from", "--name", "base", "scratch")).trim();
  await buildah("add", base, join(folder, "base"), "/");
  await buildah("commit", base, "debian-base");
  // What the stage "build" makes, in its place.
  const built = join(folder, "built/build/dist");
  await mkdir(built, { recursive: true });
  await cp(await compileProgram(), join(built, "hallpass"));
  await chmod(join(built, "hallpass"), 0o755);
  await buildah(
    ...["build", "--isolation", "chroot", "--layers=false", "--format", "docker"],
    ...["--build-context", `build=${join(folder, "built")}`],
    ...["--build-arg", "BASE=localhost/debian-base", "--tag", "hallpass"],
    ...["--file", "scripts/Dockerfile", "."],
  );
  const container = (await buildah("from", "localhost/hallpass")).trim();
  return (await buildah("mount", container)).trim().split("\n").at(-1) ?? "";
}

function commandIn(root: string): string[] {
  return ["unshare", "--mount", "sh", "-c", contain, "sh", root];
}

import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { compileProgram } from "../../support/package.ts";
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
const skip = missingTools();

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
  const missing = ["buildah", "dpkg-query", "unshare"].find((tool) =>
    spawnSync(tool, ["--version"]).error
  );
  return missing && `${missing} is missing: apt-get install buildah util-linux`;
}

/** What the Dockerfile and the program need of Debian, with everything that these need. */
const basePackages = ["base-files", "base-passwd", "coreutils", "dash", "passwd"];

/** Fills a folder with what this machine has of Debian's packages, which takes no download. */
const copyPackages = `
  set -e
  for folder in /*; do [ ! -L "$folder" ] || mkdir -p "$0/$(readlink "$folder")"; done
  dpkg-query --listfiles "$@" | grep -vE '^/usr/share/(doc|info|locale|man)/' | sort -u |
    while read -r path; do [ ! -e "$path" ] || echo "$path"; done |
    tar --create --no-recursion --files-from=- | tar --extract --directory="$0"
  cp "$0/usr/share/base-passwd/passwd.master" "$0/etc/passwd"
  cp "$0/usr/share/base-passwd/group.master" "$0/etc/group"
  mkdir -p "$0/proc" "$0/dev"`;

async function makeBase(base: string): Promise<void> {
  await mkdir(base);
  const command = ["sh", "-c", copyPackages, base, ...requiredPackages(basePackages)];
  await succeed(command, process.cwd());
}

/** Returns packages and what they depend on, of the first alternatives. */
function requiredPackages(names: readonly string[]): string[] {
  const format = "${Package}\t${Pre-Depends}, ${Depends}\n";
  const { stdout } = spawnSync("dpkg-query", ["--show", `--showformat=${format}`]);
  const dependencies = new Map(
    stdout.toString().split("\n").map((line) => {
      const [name = "", list = ""] = line.split("\t");
      return [name, list.split(", ").map((each) => each.split(/[ :]/, 1)[0] ?? "")];
    }),
  );
  const found = new Set<string>();
  const add = (name: string) => {
    if (name === "" || found.has(name) || !dependencies.has(name)) return;
    found.add(name);
    for (const needed of dependencies.get(name) ?? []) add(needed);
  };
  for (const name of names) add(name);
  return [...found];
}

/** Builds the image as the Dockerfile says, and returns the folder with its files. */
async function buildImage(): Promise<string> {
  const buildah = (...args: string[]) =>
    succeed([
      ...["buildah", "--storage-driver", "vfs"],
      ...["--root", join(folder, "store"), "--runroot", join(folder, "run"), ...args],
    ], process.cwd());
  await makeBase(join(folder, "base"));
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

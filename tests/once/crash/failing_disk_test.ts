import { assert, assertEquals } from "@std/assert";
import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { bundle } from "../../../scripts/bundle.ts";
import { binary } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { commandFor } from "../../support/program.ts";

const run = promisify(execFile);

/** How long the disk of these tests takes, in milliseconds. */
const delay = 200;

/** Takes the place of what waits for the disk. */
const slowDisk = `
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int wait_for_disk(void) {
  const char *failing = getenv("FAILING_DISK");
  usleep(${delay} * 1000);
  if (!failing || access(failing, F_OK) != 0) return 0;
  errno = EIO;
  return -1;
}
int fsync(int descriptor) { return wait_for_disk(); }
int fdatasync(int descriptor) { return wait_for_disk(); }
`;

const missing = spawnSync("cc", ["--version"]).status === 0 ? false : "there is no C compiler";

const child = "tests/once/crash/failing_disk_child.ts";

/** How each runtime runs the child. */
const commands: Record<string, (folder: string) => Promise<string[]>> = {
  deno: async () => commandFor(child),
  bun: async () => [await binary("bun@1"), child],
  async node(folder) {
    const outfile = join(folder, "child.mjs");
    bundle({ entryPoints: [child], outfile });
    return [await binary("node@24"), outfile];
  },
};

/** Runs the child on a disk that is slow, and fails while a file exists. */
async function runChild(command: readonly string[], folder: string) {
  const library = join(folder, "slow_disk.so");
  await writeFile(join(folder, "slow_disk.c"), slowDisk);
  await run("cc", ["-shared", "-fPIC", "-o", library, join(folder, "slow_disk.c")]);
  const failing = join(folder, "failing");
  const [program = "", ...args] = [...command, join(folder, "test.db"), failing];
  const env = { ...process.env, LD_PRELOAD: library, FAILING_DISK: failing };
  const { stdout } = await run(program, args, { env });
  return JSON.parse(`${stdout}`.trim().split("\n").at(-1) ?? "");
}

describe("A SQLite store whose disk is slow, and then fails", () => {
  for (const [runtime, commandIn] of Object.entries(commands)) {
    it(`reads meanwhile, shows nothing that is not durable, and is not ready on ${runtime}`, {
      skip: missing,
    }, async () => {
      await inFolder(async (folder) => {
        const { reads, seenAfter, ...found } = await runChild(await commandIn(folder), folder);
        assert(reads > 10, `${reads} reads while the disk was busy`);
        assert((seenAfter ?? delay) >= delay, `a row was shown after ${seenAfter} ms`);
        const problem = "disk I/O error";
        assertEquals(found, {
          isSeen: true,
          failed: [problem, problem],
          isLost: true,
          unready: [problem, problem],
          ready: ["done", "done"],
        });
      });
    });
  }
});

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BreakageSite } from "./breakage_sites.ts";

/** A copy of the project in which one line at a time is broken. */
export type ProjectCopy = Awaited<ReturnType<typeof copyProject>>;

/** What the tests that run in process read. */
const parts = ["src", "static", "scripts", "tests", ".github", ".ci"];
const files = ["deno.json", "deno.lock", "package.json", "README.md", "LICENSE"];

/** Copies the project to a folder of its own. */
export async function copyProject() {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-mutants-"));
  for (const part of [...parts, ...files]) {
    await cp(part, join(folder, part), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    }).catch((cause) => {
      if (cause.code !== "ENOENT") throw cause;
    });
  }
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  return {
    folder,
    /** Breaks a line while something runs, and mends it afterwards. */
    async whileBroken<T>(
      { file, range: [start, end], text }: BreakageSite,
      run: () => Promise<T>,
    ): Promise<T> {
      const path = join(folder, file);
      const source = await readFile(path, "utf8");
      await writeFile(path, source.slice(0, start) + text + source.slice(end));
      try {
        return await run();
      } finally {
        await writeFile(path, source);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

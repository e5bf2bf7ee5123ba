import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { createSlots, runCommand } from "../child.ts";
import { filesIn } from "../files.ts";

/** For each test file, the lines of each source file that it runs. */
export type Coverage = Record<string, Record<string, number[]>>;

/**
 * Measures which lines each test file runs in a copy of the project, or reads what was measured for
 * the same files. A file that fails there without a breakage, even by itself, is left out.
 */
export async function measureCoverage(
  tests: readonly string[],
  folder: string,
  onProgress: (done: number) => void,
): Promise<Coverage> {
  const path = join(".build", `coverage-${await fingerprint(["src", "tests"])}.json`);
  if (existsSync(path)) return JSON.parse(await readFile(path, "utf8"));
  const coverage: Coverage = {};
  const failed: string[] = [];
  let done = 0;
  const inTurn = createSlots(availableParallelism());
  await Promise.all(tests.map(async (test) => {
    const lines = await inTurn(() => linesOf(test, folder));
    if (lines) coverage[test] = lines;
    else failed.push(test);
    onProgress(++done);
  }));
  // Some need more of the machine than they get beside others.
  for (const test of failed) {
    const lines = await linesOf(test, folder);
    if (lines) coverage[test] = lines;
    else console.log(`${test} fails in a copy of the project, and is left out`);
  }
  await mkdir(".build", { recursive: true });
  await writeFile(path, JSON.stringify(coverage));
  return coverage;
}

/** Returns the lines that a test file runs; undefined if it fails. */
async function linesOf(
  test: string,
  cwd: string,
): Promise<Record<string, number[]> | undefined> {
  const profile = join(tmpdir(), `hallpass-coverage-${process.pid}-${test.replaceAll("/", "-")}`);
  const deno = process.execPath;
  try {
    const command = [deno, "test", "-A", "-q", "--no-check", `--coverage=${profile}`, test];
    const { code } = await runCommand(command, { timeout: 300_000, cwd });
    if (code !== 0) return undefined;
    const report = await runCommand([deno, "coverage", "-q", "--lcov", profile], {
      timeout: 60_000,
      cwd,
    });
    return linesInLcov(report.output, cwd);
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

/**
 * Reads the lines that ran from a report in the format of lcov, below `src` only. A line counts if
 * a part of it ran: a test that does not throw runs the condition of `if (a) throw b;`.
 */
export function linesInLcov(report: string, folder: string): Record<string, number[]> {
  const lines = new Map<string, Set<number>>();
  let current = new Set<number>();
  for (const row of report.split("\n")) {
    const [, path] = /^SF:(.+)$/.exec(row) ?? [];
    const [, line, count] = partThatRan.exec(row) ?? [];
    if (path !== undefined) {
      const file = relative(folder, path);
      current = lines.get(file) ?? new Set();
      if (file.startsWith("src/")) lines.set(file, current);
    }
    if (line !== undefined && count !== "0") current.add(Number(line));
  }
  return Object.fromEntries([...lines].map(([file, numbers]) => [file, [...numbers]]));
}

/** How often a line ran as a whole (`DA:line,count`), or one of its branches. */
const partThatRan = /^(?:DA|BRDA):(\d+)(?:,\d+,\d+)?,(\d+)$/;

/** Identifies the content of all files in some folders. */
async function fingerprint(folders: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of folders.flatMap((folder) => filesIn(folder, /\.tsx?$/))) {
    hash.update(path).update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 16);
}

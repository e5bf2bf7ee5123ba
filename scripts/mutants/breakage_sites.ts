import { createHash } from "node:crypto";
import { dirname, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runCommand } from "../child.ts";
import type { Breakage } from "./breakages.ts";

/** A line of a file, and how it is broken. */
export interface BreakageSite extends Breakage {
  file: string;
  line: number;
}

/** What we use of the output of `deno lint --json`. */
interface LintReport {
  diagnostics: Array<
    { filename: string; message: string; range: { start: { line: number } } }
  >;
  errors: Array<{ message: string }>;
}

/** Returns every way to break one line below some folders. */
export async function findBreakages(folders: readonly string[]): Promise<BreakageSite[]> {
  const command = [process.execPath, "lint", "--json", "--config", "scripts/mutants/lint.json"];
  const { output } = await runCommand([...command, ...folders], { timeout: 120_000 });
  const report: LintReport = JSON.parse(output.slice(output.indexOf("{")));
  if (report.errors.length > 0) throw new Error(`Cannot read the code: ${report.errors[0]}`);
  return report.diagnostics.map(({ filename, message, range }) => ({
    ...(JSON.parse(message) as Breakage),
    file: relative(process.cwd(), fileURLToPath(filename)),
    line: range.start.line,
  }));
}

/** Chooses sites by a seed, the same number from each folder as far as it has so many. */
export function sampleSites(
  sites: readonly BreakageSite[],
  { count, seed }: { count: number; seed: string },
): BreakageSite[] {
  const folders = Map.groupBy(sites, ({ file }) => dirname(file));
  const names = [...folders.keys()].sort();
  const queues = names.map((name) => folders.get(name) ?? []).map((group) =>
    group.map((site) => ({ site, rank: rankOf(site, seed) }))
      .sort((a, b) => a.rank < b.rank ? -1 : 1)
      .map(({ site }) => site)
  );
  const chosen: BreakageSite[] = [];
  while (chosen.length < count && queues.some(({ length }) => length > 0)) {
    for (const queue of queues) chosen.push(...queue.splice(0, 1));
  }
  return chosen.slice(0, count);
}

function rankOf({ file, range, text }: BreakageSite, seed: string): string {
  return createHash("sha256").update([seed, file, ...range, text].join("\n")).digest("hex");
}

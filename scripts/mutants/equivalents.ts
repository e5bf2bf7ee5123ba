import { readFile } from "node:fs/promises";
import type { BreakageSite } from "./breakage_sites.ts";
import equivalents from "./equivalent.json" with { type: "json" };

/** A breakage that no test can notice. */
export interface Equivalent {
  file: string;
  /** The text of the line, without the spaces around it. */
  line: string;
  /** How it is broken, as in "=== became !==". */
  what: string;
  /** Why no test can notice. */
  why: string;
}

/** Returns the breakages that no test can notice. Throws if a line of one is gone from its file. */
export async function readEquivalents(
  entries: readonly Equivalent[] = equivalents,
  read: (file: string) => Promise<string> = (file) => readFile(file, "utf8"),
): Promise<readonly Equivalent[]> {
  const present = await Promise.all(
    entries.map(async ({ file, line }) => linesOf(await read(file).catch(() => "")).includes(line)),
  );
  const stale = entries.filter((_, at) => !present[at]);
  if (stale.length === 0) return entries;
  const list = stale.map(({ file, line }) => `${file} has no line "${line}"`);
  throw new Error(`Cannot use equivalent.json; change or delete these:\n${list.join("\n")}`);
}

/** Reports whether no test can notice a breakage of a file with this source. */
export function isEquivalent(
  entries: readonly Equivalent[],
  { file, line, what }: Pick<BreakageSite, "file" | "line" | "what">,
  source: string,
): boolean {
  const text = linesOf(source)[line - 1];
  return entries.some((entry) => entry.file === file && entry.line === text && entry.what === what);
}

function linesOf(source: string): string[] {
  return source.split("\n").map((line) => line.trim());
}

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Returns the sorted paths of the files below a folder that match, without those of packages. */
export function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => pattern.test(path) && !path.includes("node_modules"))
    .map((path) => join(folder, path)).sort();
}

/** Returns what can be reached from a beginning, which is a part of it. */
export function reachable<T>(beginning: Iterable<T>, next: (from: T) => Iterable<T>): Set<T> {
  const found = new Set(beginning);
  // The loop comes to those that it adds, too.
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}

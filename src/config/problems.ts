import { ConfigError } from "./config_error.ts";
import type { ReportProblem } from "./shape.ts";

/** What was found wrong with a configuration so far. */
export interface Problems {
  report: ReportProblem;
  /** Where something is wrong. */
  paths(): string[];
  /** Says all of it, if there is any. */
  throwAny(task: string): void;
}

/** Collects problems, so that they can be mended together. */
export function collectProblems(): Problems {
  const found: Array<{ path: string; problem: string }> = [];
  return {
    report: (path, problem) => void found.push({ path, problem }),
    paths: () => found.map(({ path }) => path),
    throwAny(task) {
      if (found.length > 0) {
        throw new ConfigError(found.map(({ path, problem }) => `${path} ${problem}`.trim()), task);
      }
    },
  };
}

/** Tells of each entry of a list that is not among those that are allowed. */
export function reportBeyond(
  report: ReportProblem,
  path: string,
  given: readonly string[] = [],
  { among, why }: Bound,
): void {
  for (const each of given) if (!among.includes(each)) report(path, `holds '${each}'${why}`);
}

/** What the entries of a list are held against, and what is to be said of others. */
interface Bound {
  among: readonly string[];
  why: string;
}

/** Tells of each entry that stands in a list more than once. */
export function reportDuplicates(
  report: ReportProblem,
  path: string,
  names: readonly string[],
): void {
  const duplicates = names.filter((name, at) => names.indexOf(name) !== at);
  for (const name of new Set(duplicates)) report(path, `holds '${name}' more than once`);
}

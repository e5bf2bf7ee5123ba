import { ConfigError } from "./config_error.ts";
import type { Report } from "./shape.ts";

/** What was found wrong with a configuration so far. */
export interface Problems {
  report: Report;
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
      if (found.length > 0) throw new ConfigError(found.map(({ path, problem }) => `${path} ${problem}`.trim()), task);
    },
  };
}

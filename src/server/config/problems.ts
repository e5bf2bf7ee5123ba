/** What to do about a setting that does not exist, where no other has a similar name. */
export const schemaAdvice = "Run 'hallpass schema' to list every setting";

/** Reports a problem of the value at a path, such as `clients[0].id`. */
export type ReportProblem = (path: string, problem: string) => void;

/**
 * Thrown for a configuration. It lists every setting that is malformed; if none is, every
 * contradiction between them.
 */
export class ConfigError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "ConfigError";
  /** The name of the error class. */
  override readonly name = "ConfigError";
  /** One sentence per problem, which begins with the path of the setting. */
  readonly problems: readonly string[];

  /**
   * Creates the error from its problems, and from the task that they prevent: "start the server".
   */
  constructor(problems: readonly string[], task: string) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    super(`Cannot ${task}: ${count} in its configuration\n${list}`);
    this.problems = problems;
  }
}

export function collectProblems() {
  const problems: string[] = [];
  const report: ReportProblem = (path, problem) => {
    const isAdvised = problems.some((each) => each.endsWith(schemaAdvice));
    const text = isAdvised ? problem.replace(schemaAdvice, "") : problem;
    problems.push(`${path} ${text}`.trim());
  };
  return {
    problems: problems as readonly string[],
    report,
    /** Throws a `ConfigError` if there are problems. */
    throwAny(task: string): void {
      if (problems.length === 0) return;
      throw new ConfigError(problems, task);
    },
  };
}

/** The values that a list may contain, and what to report about others: ", which is not …". */
export interface AllowedValues {
  among: readonly string[];
  why: string;
}

/** Reports each entry of a list that is not allowed. */
export function reportUnlisted(
  report: ReportProblem,
  path: string,
  values: readonly string[] | undefined,
  { among, why }: AllowedValues,
): void {
  for (const value of values ?? []) {
    if (!among.includes(value)) report(path, `contains '${value}'${why}`);
  }
}

/** Reports each entry that a list contains more than once. */
export function reportDuplicates(
  report: ReportProblem,
  path: string,
  names: readonly string[],
): void {
  // There may be very many users.
  const seen = new Set<string>();
  const isRepeated = (name: string) => seen.size === seen.add(name).size;
  for (const name of new Set(names.filter(isRepeated))) {
    report(path, `contains '${name}' more than once`);
  }
}

/** Reports problems of the members of the value at a path. */
export function reportBelow(path: string, report: ReportProblem): ReportProblem {
  return (member, problem) => report(`${path}.${member}`, problem);
}

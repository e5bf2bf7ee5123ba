/** All that is wrong with a configuration, at once. */
export class ConfigError extends Error {
  /** The name of the error class. */
  override readonly name = "ConfigError";
  /** Each problem, with the path of the setting that it is about. */
  readonly problems: readonly string[];

  /** Creates the error for a task, such as "start the server", that cannot be done. */
  constructor(problems: readonly string[], task: string) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    super(`Cannot ${task}: ${count} in its configuration\n${list}`);
    this.problems = problems;
  }
}

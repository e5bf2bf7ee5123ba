/** All that is wrong with a configuration, at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], task: string) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    super(`Cannot ${task}: ${count} in its configuration\n${list}`);
    this.problems = problems;
  }
}

/** The line of one suite: a moving count on a terminal, and the result at the end. */
export interface TestProgress {
  /** Counts the tests that a piece of a runner's output reports. */
  read(output: string): void;
  finish(result: string): void;
}

/** Where the lines are written. */
export interface ProgressOutput {
  isTerminal: boolean;
  write(text: string): void;
}

/** How Deno, Bun and Node report one test. */
const testLine = /\.\.\. (?:ok|FAILED|ignored)|^\((?:pass|fail|skip)\) |^\s*[✔✖﹣] /gm;
const clearLine = "\r\x1b[K";

/** Returns what begins the line of a suite. Several may run at once. */
export function createProgress(
  { isTerminal, write }: ProgressOutput,
): (suite: string) => TestProgress {
  const counts = new Map<string, number>();
  const show = () => {
    if (!isTerminal) return;
    write(clearLine + [...counts].map(([suite, count]) => `${suite}: ${count}`).join("  "));
  };
  return (suite) => {
    counts.set(suite, 0);
    show();
    return {
      read(output) {
        counts.set(suite, (counts.get(suite) ?? 0) + (output.match(testLine)?.length ?? 0));
        show();
      },
      finish(result) {
        counts.delete(suite);
        write(`${isTerminal ? clearLine : ""}${suite}: ${result}\n`);
        if (counts.size > 0) show();
      },
    };
  };
}

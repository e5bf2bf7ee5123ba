/** The line of one suite: a moving count on a terminal, and the result at the end. */
export interface TestProgress {
  /** Counts the tests that a piece of a runner's output reports. */
  read(output: string): void;
  finish(result: string): void;
}

/** Where the line is written. */
export interface ProgressOutput {
  isTerminal: boolean;
  write(text: string): void;
}

/** How Deno, Bun and Node report one test. */
const testLine = /\.\.\. (?:ok|FAILED|ignored)|^\((?:pass|fail|skip)\) |^\s*[✔✖﹣] /gm;
const clearLine = "\r\x1b[K";

export function createProgress(
  suite: string,
  { isTerminal, write }: ProgressOutput,
): TestProgress {
  let count = 0;
  if (isTerminal) write(`${suite}: starting`);
  return {
    read(output) {
      count += output.match(testLine)?.length ?? 0;
      if (isTerminal) write(`${clearLine}${suite}: ${count}`);
    },
    finish: (result) => write(`${isTerminal ? clearLine : ""}${suite}: ${result}\n`),
  };
}

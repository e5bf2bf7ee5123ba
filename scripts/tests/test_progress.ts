/** How Deno, Bun and Node report one test. */
const testLine = /\.\.\. (?:ok|FAILED|ignored)|^\((?:pass|fail|skip)\) |^\s*[✔✖﹣] /gm;
const clearLine = "\r\x1b[K";

/**
 * Returns what begins the line of a suite: on a terminal, a moving count of the tests that its
 * runner reports, and at the end the result. Several may run at once.
 */
export function createProgress(isTerminal: boolean, write: (text: string) => void) {
  const counts = new Map<string, number>();
  const show = () => {
    const line = [...counts].map(([suite, count]) => `${suite}: ${count}`).join("  ");
    if (isTerminal && line !== "") write(clearLine + line);
  };
  return (suite: string) => ({
    read(output: string): void {
      counts.set(suite, (counts.get(suite) ?? 0) + (output.match(testLine)?.length ?? 0));
      show();
    },
    finish(result: string): void {
      counts.delete(suite);
      write(`${isTerminal ? clearLine : ""}${suite}: ${result}\n`);
      show();
    },
  });
}

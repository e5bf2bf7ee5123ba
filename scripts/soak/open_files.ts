/** How many files a process may open: 10,000 connections, and some to spare. */
const openFiles = 20_000;

/**
 * Returns a command with a higher limit on open files: each connection takes one. Only an
 * administrator may exceed the hard limit.
 */
export function withOpenFiles(command: readonly string[]): string[] {
  const script = `ulimit -n ${openFiles} 2>/dev/null || ulimit -n $(ulimit -Hn); exec "$@"`;
  return ["sh", "-c", script, "sh", ...command];
}

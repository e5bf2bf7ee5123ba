/**
 * Returns a command with a higher limit on open files: each connection takes one. Only an
 * administrator may exceed the hard limit.
 */
export function withOpenFiles(count: number, command: readonly string[]): string[] {
  const script = `ulimit -n ${count} 2>/dev/null || ulimit -n $(ulimit -Hn); exec "$@"`;
  return ["sh", "-c", script, "sh", ...command];
}

import { done, type Invocation, type Terminal } from "./command.ts";
import { printable, printableLines } from "./printable.ts";

/** A line of a table: what stands in each column. */
export type TableRow = Readonly<Record<string, string>>;

/** Prints a table for people, or the same as JSON for programs. */
export function printLines(
  invocation: Invocation,
  terminal: Terminal,
  lines: readonly TableRow[],
  none: string,
): number {
  if (invocation.values.has("json")) terminal.print(printableJson(lines));
  else terminal.print(lines.length > 0 ? formatTable(lines) : none);
  return done;
}

function formatTable(lines: readonly TableRow[]): string {
  const names = Object.keys(lines[0]);
  const rows = [
    names.map((name) => name.toUpperCase()),
    ...lines.map((line) => names.map((name) => printable(line[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()
  ).join("\n");
}

/** JSON for programs, on a terminal as well: what cannot be printed is escaped. Its own line ends stay. */
export function printableJson(value: unknown): string {
  return printableLines(JSON.stringify(value, null, 2));
}

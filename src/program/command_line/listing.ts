import { printable, printableLines } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Invocation } from "./command.ts";

/** A row of a table, by column. */
export type TableRow = Readonly<Record<string, string>>;

/** Prints a table for people, or the same as JSON for programs. */
export function printRows(
  invocation: Invocation,
  terminal: Terminal,
  rows: readonly TableRow[],
  emptyText: string,
): void {
  if (invocation.values.has("json")) terminal.print(printableJson(rows));
  else terminal.print(formatTable(rows) ?? emptyText);
}

/** Prints what a command did as a text for people, or as JSON for programs. */
export function printResult(
  invocation: Invocation,
  terminal: Terminal,
  result: object,
  text: string,
): void {
  terminal.print(invocation.values.has("json") ? printableJson(result) : text);
}

function formatTable(rows: readonly TableRow[]): string | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const names = Object.keys(first);
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => printable(row[name] ?? ""))),
  ];
  const widths = names.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0)
  );
  return lines.map((line) => formatLine(line, widths)).join("\n");
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
}

/**
 * Formats JSON for programs and terminals: unprintable characters are escaped, its own line breaks
 * stay.
 */
export function printableJson(value: unknown): string {
  return printableLines(JSON.stringify(value, null, 2));
}

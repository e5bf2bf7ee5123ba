import { printable, printableLines } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Invocation } from "./command.ts";

export type TableRow = Readonly<Record<string, string>>;

/** How many rows are printed at once. */
const rowsPerPage = 1000;

/** A part of a list; there is always one. */
interface RowPage {
  rows: TableRow[];
  isFirst: boolean;
  isLast: boolean;
}

/**
 * Prints a table for people, or the same as JSON for programs. There may be millions of rows, so a
 * page is written before the next one is read.
 */
export async function printRows(
  invocation: Invocation,
  terminal: Terminal,
  rows: Iterable<TableRow> | AsyncIterable<TableRow>,
  emptyText: string,
): Promise<void> {
  const format = invocation.values.has("json") ? formatJson : tableFormat(emptyText);
  for await (const page of pagesOf(rows)) {
    terminal.print(format(page));
    await terminal.flush();
  }
}

/** Maps entries, of which there may be millions, one after the other. */
export async function* mapEach<From, To>(
  entries: AsyncIterable<From>,
  map: (entry: From) => To,
): AsyncGenerator<To> {
  for await (const entry of entries) yield map(entry);
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

async function* pagesOf(
  rows: Iterable<TableRow> | AsyncIterable<TableRow>,
): AsyncGenerator<RowPage> {
  let page: RowPage = { rows: [], isFirst: true, isLast: false };
  for await (const row of rows) {
    if (page.rows.length === rowsPerPage) {
      yield page;
      page = { rows: [], isFirst: false, isLast: false };
    }
    page.rows.push(row);
  }
  yield { ...page, isLast: true };
}

/** Creates the format of a table whose columns are as wide as the rows so far need. */
function tableFormat(emptyText: string): (page: RowPage) => string {
  let names: string[] = [];
  let widths: number[] = [];
  return ({ rows: [first, ...later], isFirst }) => {
    if (!first) return emptyText;
    if (isFirst) names = Object.keys(first);
    const lines = [first, ...later].map((row) => names.map((name) => printable(row[name] ?? "")));
    if (isFirst) lines.unshift(names.map((name) => name.toUpperCase()));
    widths = names.map((_, column) =>
      lines.reduce(
        (widest, line) => Math.max(widest, line[column]?.length ?? 0),
        widths[column] ?? 0,
      )
    );
    return lines.map((line) => formatLine(line, widths)).join("\n");
  };
}

/** Formats a page of the JSON that all rows together have, with a line for each row. */
function formatJson({ rows, isFirst, isLast }: RowPage): string {
  if (rows.length === 0) return "[]";
  const text = rows.map((row) => printableLines(JSON.stringify(row))).join(",\n");
  return `${isFirst ? "[\n" : ""}${text}${isLast ? "\n]" : ","}`;
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

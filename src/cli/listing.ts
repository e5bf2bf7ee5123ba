import type { Call, World } from "./command.ts";
import { done } from "./command.ts";

/** A line of a table: what stands in each column. */
export type Line = Readonly<Record<string, string>>;

/** Prints a table for people, or the same as JSON for programs. */
export function printLines(call: Call, world: World, lines: readonly Line[], none: string): number {
  if (call.values.has("json")) world.print(JSON.stringify(lines, null, 2));
  else world.print(lines.length > 0 ? formatTable(lines) : none);
  return done;
}

function formatTable(lines: readonly Line[]): string {
  const names = Object.keys(lines[0]);
  const rows = [names.map((name) => name.toUpperCase()), ...lines.map((line) => names.map((name) => printable(line[name])))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()).join("\n");
}

/** A name that a stranger chose may not move the cursor of a terminal. */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, "?");
}

import { redactOutput } from "../../../lab/recording/redact.ts";
import { printableLines } from "../../terminal/printable.ts";

/** How many lines of the output of a suite are shown. */
const shownLines = 40;
const maxLineLength = 300;
/** How much of a line is read: a credential that begins in what is shown may end behind it. */
const maxReadLength = 20_000;

/** The colors of a terminal. */
// deno-lint-ignore no-control-regex
const colors = /\x1b\[[\d;]*m/g;

/** Returns the last lines of what a suite has printed, without credentials. */
export function outputExcerpt(output: string): string {
  const last = output.replace(colors, "").trimEnd().split("\n").slice(-shownLines)
    .map((line) => line.slice(0, maxReadLength));
  const lines = redactOutput(last.join("\n")).split("\n");
  return printableLines(lines.map((line) => line.slice(0, maxLineLength)).join("\n"));
}

import type { Colors } from "../terminal/color.ts";
import { printable } from "../terminal/printable.ts";

const labelWidth = 11;

const indent = " ".repeat(2 + labelWidth);

/** An entry of a list: a name, and what there is to know about it. */
export type Entry = readonly [name: string, about: string];

/** Returns a line of a greeting: a label and its value. */
export function labeled(label: string, value: string, { dim }: Colors): string {
  return `  ${dim(label.padEnd(labelWidth))}${value}`;
}

/** Returns a line of a greeting with a URL to open. */
export function linked(label: string, url: string, colors: Colors): string {
  return labeled(label, colors.link(printable(url)), colors);
}

/** Returns a line for each entry, with what there is to know about them below each other. */
export function listed(label: string, entries: readonly Entry[], colors: Colors): string[] {
  const width = Math.max(0, ...entries.map(([name]) => printable(name).length));
  return entries.map(([name, about], at) => {
    const text = `${printable(name).padEnd(width)}  ${printable(about)}`.trimEnd();
    return at === 0 ? labeled(label, text, colors) : `${indent}${text}`;
  });
}

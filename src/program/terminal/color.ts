import { printable } from "./printable.ts";
import type { Environment } from "./terminal.ts";

const reset = "\x1b[0m";

const labelWidth = 11;
const indent = " ".repeat(2 + labelWidth);

/** Marks parts of a line for a reader at a terminal. */
export interface Colors {
  good(text: string): string;
  bad(text: string): string;
  /** For what matters less than the rest of the line. */
  dim(text: string): string;
  /** For the title. */
  strong(text: string): string;
  /** For a URL to open. */
  link(text: string): string;
}

/** Colors of a terminal. */
export const terminalColors: Colors = {
  good: (text) => `\x1b[32m${text}${reset}`,
  bad: (text) => `\x1b[31m${text}${reset}`,
  dim: (text) => `\x1b[2m${text}${reset}`,
  strong: (text) => `\x1b[1m${text}${reset}`,
  link: (text) => `\x1b[36m${text}${reset}`,
};

/** Leaves every text as it is. */
export const noColors: Colors = {
  good: (text) => text,
  bad: (text) => text,
  dim: (text) => text,
  strong: (text) => text,
  link: (text) => text,
};

/** An entry of a list: a name, and what there is to know about it. */
export type Entry = readonly [name: string, about: string];

/** Decides whether to use colors: FORCE_COLOR comes before NO_COLOR, as on Node. */
export function colorsFor(environment: Environment, isTerminal: boolean): Colors {
  const { FORCE_COLOR: forced, NO_COLOR: none } = environment;
  if (forced) return forced === "0" || forced === "false" ? noColors : terminalColors;
  if (none) return noColors;
  return isTerminal ? terminalColors : noColors;
}

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

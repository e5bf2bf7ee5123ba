import type { Environment } from "./terminal.ts";

const reset = "\x1b[0m";

/** Marks parts of a line for a reader at a terminal. */
export interface Colors {
  good(text: string): string;
  bad(text: string): string;
  /** For what matters less than the rest of the line. */
  dim(text: string): string;
  strong(text: string): string;
  /** For a URL to open. */
  link(text: string): string;
}

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

/** Decides whether to use colors: FORCE_COLOR comes before NO_COLOR, as on Node. */
export function colorsFor(environment: Environment, isTerminal: boolean): Colors {
  const { FORCE_COLOR: forced, NO_COLOR: none } = environment;
  if (forced) return forced === "0" || forced === "false" ? noColors : terminalColors;
  if (none) return noColors;
  return isTerminal ? terminalColors : noColors;
}

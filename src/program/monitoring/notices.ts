import type { Terminal } from "../terminal/terminal.ts";
import { formatNotice, type LogForm } from "./log.ts";

/**
 * What the program says beside its log, in the same form: a log in JSON has only JSON beside it.
 */
export interface Notices {
  /** Prints a warning, on standard error. */
  warn(message: string): void;
  /** Prints what happened: its text, or in JSON its type and facts. */
  print(notice: Notice): void;
}

/** What the program says when it starts. */
export interface Notice {
  /** The type, as that of an event. */
  type: string;
  facts: Readonly<Record<string, unknown>>;
  /** Text for a reader, perhaps in colors. Its parts from outside are escaped. */
  text: string;
}

/** Creates the notices of a program whose log has this form. */
export function createNotices(
  form: LogForm | undefined,
  { printError, print, printColored }: Pick<Terminal, "printError" | "print" | "printColored">,
): Notices {
  if (form !== "json") {
    return {
      warn: (message) => printError(`warning: ${message}`),
      print: ({ text }) => printColored(text),
    };
  }
  return {
    warn: (message) => printError(formatNotice("program.warned", "warn", { message }, new Date())),
    print: ({ type, facts }) => print(formatNotice(type, "info", facts, new Date())),
  };
}

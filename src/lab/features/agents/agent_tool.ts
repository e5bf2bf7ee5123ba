import type { CoreLab } from "../../core/core_lab.ts";
import type { BodyDescription } from "../../core/operation.ts";

/** One thing that an agent can do with a lab. Its input and output are described as operations are. */
export interface AgentTool {
  name: string;
  title: string;
  /** What it does, and when to use it. */
  description: string;
  /** What it takes. Without a schema, the lab checks everything. */
  body?: BodyDescription;
  /** The interface of its result. */
  returns: string;
  /** Whether it changes nothing. */
  isReadOnly?: boolean;
  /** What to do if it fails, where its error does not say so. */
  recovery?: string;
  run(
    lab: CoreLab,
    args: Readonly<Record<string, unknown>>,
    onProgress: ReportProgress,
  ): AgentResult | Promise<AgentResult>;
}

/** What a tool returns: a text for the agent, and the same as data. */
export interface AgentResult {
  text: string;
  value: object;
  /** Whether the text is already the page that was asked for. */
  isPaged?: boolean;
}

/** Reports how far a tool is. */
export type ReportProgress = (done: number, total: number) => void;

/** How many findings a result has as data; its text goes on. */
export const maxFindings = 10;

/** Returns the first entries of a list, and how many more there are. */
export function firstOf<T>(entries: readonly T[]): { first: T[]; more: number } {
  return {
    first: entries.slice(0, maxFindings),
    more: Math.max(0, entries.length - maxFindings),
  };
}

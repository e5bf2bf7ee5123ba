import type { CoreLab } from "../../core/core_lab.ts";
import type { BodyDescription, OperationCall, OperationDescription } from "../../core/operation.ts";
import { shortenData } from "./shorten.ts";

/** One thing that an agent can do with a lab. Its input and output are described as operations are. */
export interface AgentTool {
  name: string;
  /** What it does, and when to use it. */
  description: string;
  /** The operation that it calls, which says what it takes, and checks it. */
  operation?: OperationDescription;
  /** What it takes, if it is no operation. Without a schema, the lab checks everything. */
  body?: BodyDescription;
  /** Whether it changes nothing. */
  isReadOnly?: boolean;
  /** Whether it changes nothing that is there. */
  onlyAdds?: boolean;
  /** Whether long values are its purpose, such as tokens. */
  keepsLongValues?: boolean;
  /** The tool that shows the rest of a long result, if this one has no pages. */
  rest?: string;
  /** What to do if it fails, where its error does not say so. */
  recovery?: string;
  run(
    lab: CoreLab,
    args: Readonly<Record<string, unknown>>,
    way: AgentWay,
  ): AgentResult | Promise<AgentResult>;
}

/** What a tool returns: a text for the agent, and the same as data. */
export interface AgentResult {
  /** The text, what matters most first. A page of it has the data of its entries. */
  rows: ReadonlyArray<string | AgentEntry>;
  value: object;
  /** The member of the value for the entries; `more` next to it counts those of later pages. */
  list?: string;
}

/** An entry of a list, as text and as data. */
export interface AgentEntry {
  text: string;
  entry: object;
}

/** A rule, or what a feature finds out about clients, as far as it can be explained. */
export interface ExplainableRule {
  id: string;
  title: string;
  gain?: string | undefined;
  fix?: string | undefined;
  see?: string | undefined;
}

/** How a call of a tool came, and where its progress goes. */
export interface AgentWay {
  call: OperationCall;
  onProgress: ReportProgress;
}

/** Reports how far a tool is. */
export type ReportProgress = (done: number, total: number) => void;

/** Returns an entry of a list. A client may send long values to hide what follows them. */
export function entryOf<T extends object>(value: T, toText: (entry: T) => string): AgentEntry {
  const entry = shortenData(value);
  return { text: toText(entry), entry };
}

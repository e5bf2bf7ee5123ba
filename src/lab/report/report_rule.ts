import type { Exchange } from "../recording/exchange.ts";
import type { FlowTrace } from "../recording/timeline.ts";

/** Everything that went over the wire. */
export interface LabHistory {
  issuer: string;
  exchanges: readonly Exchange[];
  flows: readonly FlowTrace[];
}

/** A rule for clients. */
export interface ReportRule {
  id: string;
  /** A violation breaks a rule; advice makes a client better. */
  kind: "violation" | "advice";
  /** The rule, in one sentence. */
  says: string;
  /** The section of the specification. */
  see: string;
  /** Finds where clients broke the rule. */
  find(history: LabHistory): Evidence[];
}

/** Where a client broke a rule. */
export interface Evidence {
  /** The client, if the request names one. */
  client?: string | undefined;
  /** What the client did, without secrets. */
  seen: string;
  /** The ids of the recorded requests that show it. */
  exchanges: number[];
}

/** Returns the exchanges with one endpoint. */
export function at(history: LabHistory, path: string): Exchange[] {
  return history.exchanges.filter(({ request }) => request.path === path);
}

/** Groups items by a key, and returns the groups of two or more. */
export function repeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Array<[key: string, T[]]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined && key !== "") groups.set(key, [...groups.get(key) ?? [], item]);
  }
  return [...groups].filter(([, group]) => group.length > 1);
}

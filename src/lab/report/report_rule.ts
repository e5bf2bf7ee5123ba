import type { Exchange } from "../recording/exchange.ts";
import type { FlowTrace } from "../recording/timeline.ts";

/** What a client did over time. */
export interface LabHistory {
  issuer: string;
  exchanges: readonly Exchange[];
  flows: readonly FlowTrace[];
}

/** Something that a client should not do. */
export interface ReportRule {
  id: string;
  /** A violation breaks a rule; advice makes a client better. */
  kind: "violation" | "advice";
  /** What is wrong, in a sentence. */
  says: string;
  /** The section that says so. */
  see: string;
  find(history: LabHistory): Evidence[];
}

/** Where it shows. */
export interface Evidence {
  client?: string;
  /** What was seen, without secrets. */
  seen: string;
  /** The ids of the exchanges in which it was. */
  exchanges: number[];
}

/** The exchanges of one endpoint. */
export function at(history: LabHistory, path: string): Exchange[] {
  return history.exchanges.filter(({ request }) => request.path === path);
}

/** Groups of two and more that have the same key. */
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

import { Buffer } from "node:buffer";
import {
  type BatchedCall,
  type BatchedMethod,
  type BatchedResult,
  defaultPage,
  type Row,
  type Store,
} from "../store.ts";
import { readValue } from "../store_errors.ts";
import type { FoundRow, RowCall } from "./row_statements.ts";

/** A call of the store as a statement makes it. */
export interface PlannedCall<Result = BatchedResult> extends RowCall {
  /** Returns whether the call may find or change a row. */
  asksFor(row: FoundRow): boolean;
  resultOf(found: readonly FoundRow[]): Result;
}

/** What sorts after every id: no UTF-8 contains it. */
const beyondAll = "ff";

export function plan([method, ...args]: BatchedCall): PlannedCall {
  return (plans as Record<BatchedMethod, (...args: unknown[]) => PlannedCall>)[method](...args);
}

export const plans = {
  get(kind: string, id: string): PlannedCall<Row | undefined> {
    const start = toHex(id);
    return find(kind, { start, end: next(start), limit: 1 }, ([row]) => row && toRow(row));
  },
  list(...[kind, { after, before, limit = defaultPage } = {}]: Parameters<Store["list"]>) {
    const start = after === undefined ? "" : next(toHex(after));
    const end = before === undefined ? beyondAll : toHex(before);
    return find(
      kind,
      { start, end, limit },
      (rows): Array<[id: string, row: Row]> =>
        rows.toSorted((a, b) => a.id < b.id ? -1 : 1).map((row) => [fromHex(row.id), toRow(row)]),
    );
  },
  put: (...[kind, id, row, { replaces } = {}]: Parameters<Store["put"]>): PlannedCall<boolean> =>
    replaces
      ? change("replace", kind, id, [...columnsOf(row), ...columnsOf(replaces)])
      : change("put", kind, id, columnsOf(row)),
  add: (kind: string, id: string, row: Row): PlannedCall<boolean> =>
    change("add", kind, id, columnsOf(row)),
  consume: (...[kind, id, at, keepUntil]: Parameters<Store["consume"]>): PlannedCall<boolean> =>
    change("consume", kind, id, [at, keepUntil]),
  delete: (kind: string, id: string): PlannedCall<void> => ({
    ...change("remove", kind, id, []),
    resultOf: () => {},
  }),
};

/** Whether a call reads one row at most. */
export function readsOneRow({ part, values: [, limit] }: RowCall): boolean {
  return part === "find" && limit === 1;
}

function find<Result>(
  kind: string,
  { start, end, limit }: {
    start: string;
    /** The first text beyond the range. */
    end: string;
    limit: number;
  },
  resultOf: PlannedCall<Result>["resultOf"],
): PlannedCall<Result> {
  const asksFor = (row: FoundRow) => row.kind === kind && start <= row.id && row.id < end;
  return { part: "find", kind, id: start, values: [end, limit], asksFor, resultOf };
}

function change(
  part: RowCall["part"],
  kind: string,
  id: string,
  values: RowCall["values"],
): PlannedCall<boolean> {
  const asksFor = () => true;
  return { part, kind, id: toHex(id), values, asksFor, resultOf: (rows) => rows.length === 1 };
}

function columnsOf({ value, expiresAt, usedAt }: Row): RowCall["values"] {
  return [JSON.stringify(value), expiresAt, usedAt ?? null];
}

function toRow({ kind, id, value, expires_at, used_at }: FoundRow): Row {
  const row = { value: readValue(value, kind, fromHex(id)), expiresAt: expires_at };
  return used_at === null ? row : { ...row, usedAt: used_at };
}

function toHex(id: string): string {
  return Buffer.from(id).toString("hex");
}

function fromHex(id: string): string {
  return Buffer.from(id, "hex").toString();
}

/** Returns the first id after another one. */
function next(id: string): string {
  return `${id}00`;
}

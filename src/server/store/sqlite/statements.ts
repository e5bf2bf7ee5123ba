import type { DatabaseSync } from "node:sqlite";
import {
  type BatchedCall,
  type BatchedMethod,
  type BatchedResult,
  defaultPage,
  type ListOptions,
  type PutCondition,
  type Row,
} from "../store.ts";
import { readValue } from "../store_errors.ts";
import { applicationId } from "./schema.ts";

/** How many free pages a sweep returns to the file system. More would delay other writes. */
const pagesPerSweep = 100;

const columns = "value, expires_at, used_at";
const insertion = "INTO rows (kind, id, value, expires_at, used_at) VALUES (?, ?, ?, ?, ?)";
const expired = "SELECT rowid FROM rows WHERE expires_at < ? ORDER BY expires_at LIMIT ?";
// The sum and the sign hide the values from SQLite, which would prepare the statement again for each
// of them: for the kind, on Bun.
const ofKind = `SELECT id, ${columns} FROM rows WHERE kind = +?`;
// A blob sorts after every text, so the empty one is beyond the last id.
const page = "id < coalesce(?, x'') ORDER BY id LIMIT ? + 0";

/** What the store does with its rows: how each statement runs, and its text. */
export const statementTexts = {
  get: ["get", `SELECT ${columns} FROM rows WHERE kind = ? AND id = ?`],
  put: ["run", `INSERT OR REPLACE ${insertion}`],
  replace: [
    "run",
    `UPDATE rows SET value = ?, expires_at = ?, used_at = ? WHERE kind = ? AND id = ?
       AND value = ? AND expires_at = ? AND used_at IS ?`,
  ],
  add: ["run", `INSERT OR IGNORE ${insertion}`],
  consume: [
    "run",
    "UPDATE rows SET used_at = ?, expires_at = ? WHERE kind = ? AND id = ? AND used_at IS NULL",
  ],
  delete: ["run", "DELETE FROM rows WHERE kind = ? AND id = ?"],
  first: ["all", `${ofKind} AND ${page}`],
  next: ["all", `${ofKind} AND id > ? AND ${page}`],
  sweep: ["run", `DELETE FROM rows WHERE rowid IN (${expired})`],
  // Deno's exec would run a single step, which frees a single page.
  vacuum: ["all", `PRAGMA incremental_vacuum(${pagesPerSweep})`],
  // Changes nothing, and yet is written and committed.
  touch: ["all", `PRAGMA application_id = ${applicationId}`],
} as const;

type SqlValue = string | number | null;

/** A statement with its parameters. It can be passed to another thread. */
export type RowStatement = readonly [name: keyof typeof statementTexts, ...parameters: SqlValue[]];

/** A row as SQLite returns it; all of them; or how many were changed. */
export type RowResult =
  | Record<string, unknown>
  | Array<Record<string, unknown>>
  | number
  | undefined;

/** Prepares the statements on a connection, and returns what runs them there. */
export function prepareStatements(
  database: DatabaseSync,
): (statement: RowStatement) => RowResult {
  const prepared = Object.fromEntries(
    Object.entries(statementTexts).map(([name, [how, text]]) => {
      const statement = database.prepare(text);
      if (how !== "run") return [name, (...values: SqlValue[]) => statement[how](...values)];
      return [name, (...values: SqlValue[]) => Number(statement.run(...values).changes)];
    }),
  );
  return ([name, ...parameters]) => prepared[name]!(...parameters);
}

export function statementFor(call: BatchedCall): RowStatement {
  switch (call[0]) {
    case "put":
      return putting(...call);
    case "list":
      return listing(...call);
    case "add":
      return ["add", call[1], call[2], ...columnsOf(call[3])];
    case "consume":
      return ["consume", call[3], call[4], call[1], call[2]];
    default:
      return call;
  }
}

/** Returns what a call of the store returns, from the result of its statement. */
export function resultOf([method, kind, id]: BatchedCall, result: RowResult): BatchedResult {
  const read = readers[method];
  return read(result as never, kind, id as string);
}

type Reader<Result> = (result: Result, kind: string, id: string) => BatchedResult;

const changed: Reader<number> = (changes) => changes === 1;

const readers: Record<BatchedMethod, Reader<never>> = {
  get: (row: Record<string, unknown> | undefined, kind, id) => row && toRow(row, kind, id),
  list: (rows: Array<Record<string, unknown>>, kind) =>
    rows.map(({ id, ...row }): [string, Row] => [String(id), toRow(row, kind, String(id))]),
  put: changed,
  add: changed,
  consume: changed,
  delete: () => undefined,
};

function putting(
  _method: "put",
  kind: string,
  id: string,
  row: Row,
  { replaces }: PutCondition = {},
): RowStatement {
  if (!replaces) return ["put", kind, id, ...columnsOf(row)];
  return ["replace", ...columnsOf(row), kind, id, ...columnsOf(replaces)];
}

function listing(
  _method: "list",
  kind: string,
  { after, before, limit = defaultPage }: ListOptions = {},
): RowStatement {
  if (after === undefined) return ["first", kind, before ?? null, limit];
  return ["next", kind, after, before ?? null, limit];
}

function columnsOf(
  { value, expiresAt, usedAt }: Row,
): [value: string, expiresAt: number, usedAt: number | null] {
  return [JSON.stringify(value), expiresAt, usedAt ?? null];
}

function toRow(
  { value, expires_at, used_at }: Record<string, unknown>,
  kind: string,
  id: string,
): Row {
  const row = { value: readValue(String(value), kind, id), expiresAt: Number(expires_at) };
  return used_at === null ? row : { ...row, usedAt: Number(used_at) };
}

import type { Exchange } from "../../../recording/exchange.ts";
import { redact } from "../../../recording/redact.ts";
import { connectionHeaders } from "../request_differences.ts";

/** A parameter or header in the form that edits a request. */
export interface EditedRow {
  name: string;
  value: string;
  /** Whether it will be sent. */
  isSent: boolean;
}

/** What the form edits: the rows of each group, in order. */
export type RowGroup = "parameter" | "header";

/** The rows that a form has beyond those of the request. */
const emptyRows = 3;

/** A name with its value. */
export type NamedValue = readonly [name: string, value: string];

/** Returns what a request has in a group. */
export function recordedPairs({ request }: Exchange, group: RowGroup): NamedValue[] {
  if (group === "parameter") return [...request.query, ...request.form];
  return Object.entries(request.headers).filter(([name]) => !connectionHeaders.includes(name));
}

/** Returns the rows of a request that was not edited yet, and some empty ones. */
export function rowsOfExchange(
  exchange: Exchange,
  group: RowGroup,
  withSecrets: boolean,
): EditedRow[] {
  const pairs = recordedPairs(withSecrets ? exchange : redact(exchange), group);
  return withEmptyRows(pairs.map(([name, value]) => ({ name, value, isSent: true })));
}

/** Returns the rows that a form was sent with, and some empty ones. */
export function rowsOfForm(form: URLSearchParams, group: RowGroup): EditedRow[] {
  const rows = sentRows(form, group).filter(({ name, value }) => name !== "" || value !== "");
  return withEmptyRows(rows);
}

/** Reads the rows of a form. Those of the recorded request are the first, in its order. */
export function sentRows(form: URLSearchParams, group: RowGroup): EditedRow[] {
  const rows: EditedRow[] = [];
  for (let at = 0; form.has(fieldName(group, at, "name")); at++) {
    rows.push({
      name: form.get(fieldName(group, at, "name"))?.trim() ?? "",
      value: form.get(fieldName(group, at, "value")) ?? "",
      isSent: form.has(fieldName(group, at, "on")),
    });
  }
  return rows;
}

/** Returns the name of a field of a row, which is its id, too. */
export function fieldName(group: RowGroup, at: number, part: "name" | "value" | "on"): string {
  return `${group}-${at}-${part}`;
}

function withEmptyRows(rows: readonly EditedRow[]): EditedRow[] {
  return [...rows, ...Array.from({ length: emptyRows }, () => emptyRow)];
}

const emptyRow: EditedRow = { name: "", value: "", isSent: true };

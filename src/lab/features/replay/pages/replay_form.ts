import type { Exchange } from "../../../recording/exchange.ts";
import { redact } from "../../../recording/redact.ts";
import { LabError } from "../../../util/lab_error.ts";
import { type ReplayChanges, replayMethods } from "../replay_changes.ts";
import { areSame, connectionHeaders } from "../request_differences.ts";

/** The choices of the form for the client: as it was recorded, none, or one by its id. */
export const recordedClient = "";
export const noClient = "none";
const clientPrefix = "client ";

/** The rows that a form has beyond those of the request. */
const emptyRows = 3;

const emptyRow: EditedRow = { name: "", value: "", isSent: true };

/** A parameter or header in the form that edits a request. */
export interface EditedRow {
  name: string;
  value: string;
  /** Whether it will be sent. */
  isSent: boolean;
}

/** What the form edits: the rows of each group, in order. */
export type RowGroup = "parameter" | "header";

type NamedValue = readonly [name: string, value: string];

/** Returns the changes that a form asks for. What it shows as it was recorded stays as it was. */
export function readReplayForm(exchange: Exchange, form: URLSearchParams): ReplayChanges {
  const headers = Object.entries(changesIn(exchange, form, "header"));
  return {
    ...methodIn(exchange, form),
    parameters: changesIn(exchange, form, "parameter"),
    headers: Object.fromEntries(headers.map(([name, values]) => [name, onlyValue(name, values)])),
    ...bodyIn(exchange, form),
    ...clientIn(form),
    spent: form.has("spent"),
  };
}

export function choiceOfClient(id: string): string {
  return clientPrefix + id;
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

/** Returns the name of a field of a row, which is its id, too. */
export function fieldName(group: RowGroup, at: number, part: "name" | "value" | "on"): string {
  return `${group}-${at}-${part}`;
}

function recordedPairs({ request }: Exchange, group: RowGroup): NamedValue[] {
  if (group === "parameter") return [...request.query, ...request.form];
  return Object.entries(request.headers).filter(([name]) => !connectionHeaders.includes(name));
}

/** Reads the rows of a form. Those of the recorded request are the first, in its order. */
function sentRows(form: URLSearchParams, group: RowGroup): EditedRow[] {
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

function withEmptyRows(rows: readonly EditedRow[]): EditedRow[] {
  return [...rows, ...Array.from({ length: emptyRows }, () => emptyRow)];
}

function methodIn({ request }: Exchange, form: URLSearchParams): ReplayChanges {
  const chosen = replayMethods.find((each) => each === form.get("method"));
  return chosen === undefined || chosen === request.method ? {} : { method: chosen };
}

/** A body that still shows as it was recorded is not changed. */
function bodyIn({ request }: Exchange, form: URLSearchParams): ReplayChanges {
  const body = form.get("body")?.replaceAll("\r\n", "\n");
  return body === undefined || body === request.body.replaceAll("\r\n", "\n") ? {} : { body };
}

function clientIn(form: URLSearchParams): ReplayChanges {
  const choice = form.get("client") ?? "";
  if (choice === noClient) return { client: null };
  return choice.startsWith(clientPrefix) ? { client: choice.slice(clientPrefix.length) } : {};
}

/** Returns the values of each name that differ from what was recorded; `null` for none. */
function changesIn(
  exchange: Exchange,
  form: URLSearchParams,
  group: RowGroup,
): Record<string, string[] | null> {
  const recorded = recordedPairs(exchange, group);
  const sent = sentPairs(exchange, form, group);
  const names = [...new Set([...recorded, ...sent].map(([name]) => name))];
  const changed = names.flatMap((name): Array<[string, string[] | null]> => {
    const [before, after] = [valuesOf(recorded, name), valuesOf(sent, name)];
    return areSame(before, after) ? [] : [[name, after.length > 0 ? after : null]];
  });
  return Object.fromEntries(changed);
}

function valuesOf(pairs: readonly NamedValue[], name: string): string[] {
  return pairs.filter(([each]) => each === name).map(([, value]) => value);
}

/** Returns what the form sends. A hidden secret that was not edited has its recorded value. */
function sentPairs(exchange: Exchange, form: URLSearchParams, group: RowGroup): NamedValue[] {
  const recorded = recordedPairs(exchange, group);
  const shown = recordedPairs(redact(exchange), group);
  return sentRows(form, group).flatMap(({ name, value, isSent }, at): NamedValue[] => {
    if (!isSent || name === "") return [];
    const own = recorded[at]?.[0] === name ? recorded[at][1] : undefined;
    const isUnchanged = [own, shown[at]?.[1]].some((each) =>
      each !== undefined && inOneLine(each) === inOneLine(value)
    );
    const key = group === "header" ? name.toLowerCase() : name;
    return [[key, own !== undefined && isUnchanged ? own : value]];
  });
}

/** A field for a line of text drops the line breaks of its value. */
function inOneLine(text: string): string {
  return text.replace(/[\r\n]/g, "");
}

function onlyValue(name: string, values: readonly string[] | null): string | null {
  if (values === null) return null;
  const [only, ...more] = values;
  if (only !== undefined && more.length === 0) return only;
  throw new LabError(`The header '${name}' can be sent once.`);
}

import { createStatement, type Statement, type Value } from "./own_result.ts";

/** The parts of a statement, in the order in which they run. */
const parts = ["find", "put", "replace", "add", "consume", "remove"] as const;

/** A part of a statement: what it does with rows. */
type StatementPart = (typeof parts)[number];

/** One call of the store, of those that a statement makes. */
export interface RowCall {
  part: StatementPart;
  kind: string;
  /** The UTF-8 of the id, as hexadecimal digits. That of a range is where it begins. */
  id: string;
  /** What else the part takes, with the types below. */
  values: ReadonlyArray<Value | null>;
}

/** What a statement returns for each row that it found or changed. */
export interface FoundRow extends StoredColumns {
  /** The number of the call that found it, beginning with 1. A changed row has none. */
  n?: number | null;
  kind: string;
  id: string;
}

/** The columns of a row other than its kind and its id. */
export interface StoredColumns {
  value: string;
  expires_at: number;
  used_at: number | null;
}

/** Names the row that a call changes. */
export function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${id} ${kind}`;
}

const rowTypes = ["text", "double precision", "double precision"];

/** The types of the values of a call, and the names that a part gives them. */
const valueTypes: Readonly<Record<StatementPart, readonly string[]>> = {
  find: ["text", "bigint"],
  put: rowTypes,
  replace: [...rowTypes, ...rowTypes],
  add: rowTypes,
  consume: rowTypes.slice(1),
  remove: [],
};

/**
 * Creates the statements on a table. Each makes any number of calls: its values are arrays, so that
 * one prepared text serves all of them. All that it returns is cast, so that it stays valid if a
 * column changes its type. Ids are sent as text: the client encodes bytes twice if it prepares a
 * statement again, which makes the id of another row.
 */
export function createRowStatements(table: string) {
  const texts = textsOf(table);
  const statements = new Map<string, Statement>();

  function statementOf(used: readonly StatementPart[]): Statement {
    const name = used.join();
    const statement = statements.get(name) ?? createStatement(
      unionOf(used),
      used.map((part) => [part, texts[part]]),
    );
    statements.set(name, statement);
    return statement;
  }

  return (calls: readonly RowCall[]): [Statement, Value[]] => {
    // In the same order everywhere, so that no two statements wait for rows of each other.
    const finds = calls.filter(({ part }) => part === "find");
    const changes = calls.filter(({ part }) => part !== "find").sort(byKey);
    const used = parts.filter((part) => calls.some((call) => call.part === part));
    const values = used.flatMap((part) =>
      valuesOf(part, part === "find" ? finds : changes.filter((call) => call.part === part))
    );
    return [statementOf(used), values];
  };
}

function textsOf(table: string): Readonly<Record<StatementPart, string>> {
  const changed = "RETURNING stored.kind::text AS kind, encode(stored.id, 'hex') AS id";
  const isRow = "stored.kind = call.kind AND stored.id = decode(call.id, 'hex')";
  const insertion = (part: StatementPart) =>
    `INSERT INTO ${table} AS stored (kind, id, value, expires_at, used_at)
     SELECT kind, decode(id, 'hex'), value_1, value_2, value_3 FROM ${callsOf(part)}`;
  return {
    find: `
      SELECT call.n::integer AS n, found.* FROM ${callsOf("find")} CROSS JOIN LATERAL (
        SELECT kind::text AS kind, encode(id, 'hex') AS id, value::text AS value,
          expires_at::double precision AS expires_at, used_at::double precision AS used_at
        FROM ${table} AS stored
        WHERE stored.kind = call.kind
          AND stored.id >= decode(call.id, 'hex') AND stored.id < decode(call.value_1, 'hex')
        ORDER BY stored.id LIMIT call.value_2) AS found`,
    put: `${insertion("put")} ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value,
      expires_at = excluded.expires_at, used_at = excluded.used_at ${changed}`,
    replace: `
      UPDATE ${table} AS stored SET value = value_1, expires_at = value_2, used_at = value_3
      FROM ${callsOf("replace")} WHERE ${isRow} AND (stored.value::text, stored.expires_at,
        stored.used_at) IS NOT DISTINCT FROM (value_4, value_5, value_6) ${changed}`,
    add: `${insertion("add")} ON CONFLICT DO NOTHING ${changed}`,
    consume: `
      UPDATE ${table} AS stored SET used_at = value_1, expires_at = value_2
      FROM ${callsOf("consume")} WHERE ${isRow} AND stored.used_at IS NULL ${changed}`,
    remove: `DELETE FROM ${table} AS stored USING ${callsOf("remove")} WHERE ${isRow} ${changed}`,
  };
}

/** Names the values of the calls of a part. */
function callsOf(part: StatementPart): string {
  const types = ["text", "text", ...valueTypes[part]];
  const names = ["kind", "id", ...valueTypes[part].map((_, n) => `value_${n + 1}`), "n"];
  const arrays = types.map((type) => `?::${type}[]`);
  return `unnest(${arrays.join(", ")}) WITH ORDINALITY AS call (${names.join(", ")})`;
}

function byKey(one: RowCall, other: RowCall): number {
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  return one.kind < other.kind ? -1 : 1;
}

function unionOf(used: readonly StatementPart[]): string {
  const [before, after] = used[0] === "find" ? ["NULL, ", ", NULL, NULL, NULL"] : ["", ""];
  const queries = used.map((part) =>
    part === "find" ? "SELECT * FROM find" : `SELECT ${before}kind, id${after} FROM ${part}`
  );
  return queries.join(" UNION ALL ");
}

function valuesOf(part: StatementPart, calls: readonly RowCall[]): string[] {
  return [
    arrayOf(calls.map(({ kind }) => kind)),
    arrayOf(calls.map(({ id }) => id)),
    ...valueTypes[part].map((_, n) => arrayOf(calls.map(({ values }) => values[n] ?? null))),
  ];
}

/**
 * Writes an array as PostgreSQL reads it, with a backslash before each quote and each backslash, as
 * in JSON. No text has a control character, which JSON would write as a letter: all are kinds,
 * hexadecimal digits, or JSON.
 */
function arrayOf(values: ReadonlyArray<Value | null>): string {
  const texts = values.map((value) =>
    typeof value === "string" ? JSON.stringify(value) : value ?? "NULL"
  );
  return `{${texts.join()}}`;
}

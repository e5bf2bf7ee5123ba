import { day } from "../../util/time/duration.ts";
import type { Row, Store } from "../store.ts";
import { readValue } from "../store_errors.ts";
import type { RedisConnection } from "./connection.ts";
import type { KeyNames, RowKeys } from "./row_keys.ts";
import type { ChangeName, Script, Scripts } from "./scripts.ts";

const columns = ["value", "expiresAt", "usedAt"] as const;

/** How long after its end a row stays for Redis itself to delete, in milliseconds. */
const expiryMargin = day * 1000;

/** What every operation on rows works with. */
export interface RedisRows {
  connection: RedisConnection;
  keys: KeyNames;
  scripts: Scripts;
  /** Whether Redis deletes rows itself, long after they have expired. */
  engineExpiry: boolean;
}

export async function getRow(
  { connection, keys }: RedisRows,
  kind: string,
  id: string,
): Promise<Row | undefined> {
  const { row } = keys.ofRow(kind, id);
  const reply = await connection.send(row, ["HMGET", row, ...columns]);
  return toRow(reply, kind, id);
}

/** Reads the columns of a row; undefined if there is none. */
export function toRow(reply: unknown, kind: string, id: string): Row | undefined {
  const [value, expiresAt, usedAt] = reply as Array<string | null>;
  if (typeof value !== "string") return undefined;
  return {
    value: readValue(value, kind, id),
    expiresAt: Number(expiresAt),
    ...typeof usedAt === "string" && { usedAt: Number(usedAt) },
  };
}

/** Runs a script on the keys of one row. */
export async function runOnRow(
  connection: RedisConnection,
  script: Script,
  { row, ids, expiries, member }: RowKeys,
  id: string,
  ...args: string[]
): Promise<unknown> {
  return await runScript(connection, script, [row, ids, expiries], [id, member, ...args]);
}

/** Runs a script by its digest, or by its text on a server that does not know it yet. */
export async function runScript(
  connection: RedisConnection,
  { text, digest }: Script,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Promise<unknown> {
  const rest = [`${keys.length}`, ...keys, ...args];
  try {
    return await connection.send(keys[0], ["EVALSHA", digest, ...rest]);
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.message.startsWith("NOSCRIPT")) throw cause;
    return await connection.send(keys[0], ["EVAL", text, ...rest]);
  }
}

/** A change of a row: a script, and what it takes. */
export interface RowChange {
  name: ChangeName;
  row: RowKeys;
  id: string;
  /** What the script takes beside the keys, id and member. */
  args: string[];
}

/** The changes that a store makes. */
export type RowChanges = ReturnType<typeof createRowChanges>;

export function createRowChanges({ keys, engineExpiry }: Pick<RedisRows, "keys" | "engineExpiry">) {
  const change = (name: ChangeName, kind: string, id: string, ...args: string[]): RowChange => (
    { name, row: keys.ofRow(kind, id), id, args }
  );

  function engineExpiryOf(expiresAt: number): string {
    return engineExpiry ? `${Math.ceil(expiresAt + expiryMargin)}` : "";
  }

  function argumentsOf(row: Row): string[] {
    return [...columnsOf(row), engineExpiryOf(row.expiresAt)];
  }

  return {
    put: (...[kind, id, row, { replaces } = {}]: Parameters<Store["put"]>) =>
      replaces
        ? change("replace", kind, id, ...argumentsOf(row), ...columnsOf(replaces))
        : change("put", kind, id, ...argumentsOf(row)),
    add: (kind: string, id: string, row: Row) => change("add", kind, id, ...argumentsOf(row)),
    consume: (...[kind, id, at, keepUntil]: Parameters<Store["consume"]>) =>
      change("consume", kind, id, `${at}`, `${keepUntil}`, engineExpiryOf(keepUntil)),
    delete: (kind: string, id: string) => change("delete", kind, id),
  };
}

function columnsOf({ value, expiresAt, usedAt }: Row): string[] {
  return [JSON.stringify(value), `${expiresAt}`, `${usedAt ?? ""}`];
}

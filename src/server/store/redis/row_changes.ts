import { day } from "../../util/time/duration.ts";
import type { Row, Store } from "../store.ts";
import type { RedisRows } from "./row_access.ts";
import type { RowKeys } from "./row_keys.ts";
import type { ChangeName } from "./scripts.ts";

/** How long after its end a row stays for Redis itself to delete, in milliseconds. */
const expiryMargin = day * 1000;

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

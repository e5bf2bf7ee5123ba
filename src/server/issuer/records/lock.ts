import { OAuthError } from "../../protocol/oauth_error.ts";
import type { Row } from "../../store/store.ts";
import { second } from "../../util/time/duration.ts";
import type { Records } from "./records.ts";
import { joinId } from "./row_id.ts";
import type { Table } from "./table.ts";

/**
 * In milliseconds. A lock expires at the end of the next slot, so a process that dies does not hold
 * it for long.
 */
const slotLength = 15 * second * 1000;

/** How long a process that died holds a lock, at most, in milliseconds. */
export const maxLockTime = 2 * slotLength;

/** A try fails only if another process has changed the row, which is rare. */
const maxTries = 5;

/** Where locks are, and the time until which they are held. */
interface LockSource {
  records: Records;
  now: () => number;
}

/**
 * Runs an action while holding a lock, so that no other process with the same store changes the
 * same data. Throws a LockedError at once if the lock is held. An action that stalls outlives its
 * lock, so rows that others change are written by `replace` all the same.
 */
export async function withLock<T>(
  source: LockSource,
  name: string,
  action: () => Promise<T>,
): Promise<T> {
  const id = await acquire(source, name);
  try {
    return await action();
  } finally {
    await source.records.locks.delete(id);
  }
}

/**
 * Changes a row, and tries again if another process has changed it in the meantime. A deleted row
 * stays deleted; a row for which `change` returns undefined stays as it is.
 */
export async function updateRow<T>(
  table: Table<T>,
  id: string,
  change: (value: T) => T | undefined | Promise<T | undefined>,
  replace = (before: Row<T>, value: T) => table.replace(id, before, value),
): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await table.get(id);
    const value = row && await change(row.value);
    if (!row || value === undefined || await replace(row, value)) return;
  }
  throw new LockedError();
}

/**
 * Adds the row of a lock, and returns its id. Each time slot has a separate row, so the row of a
 * process that died simply expires.
 *
 * Two processes may add rows in adjacent slots at the same time. Each one adds its row first and
 * then reads the neighbours, so at least one of them sees the other and gives up.
 */
async function acquire({ records: { locks }, now }: LockSource, name: string): Promise<string> {
  const slot = Math.floor(now() / slotLength);
  const rowId = (slot: number) => joinId(name, String(slot));
  const ownId = rowId(slot);
  if (!await locks.add(ownId, null, (slot + 2) * slotLength)) throw new LockedError();
  const neighbours = await Promise.all([slot - 1, slot + 1].map((each) => locks.get(rowId(each))));
  if (neighbours.every((row) => row === undefined)) return ownId;
  await locks.delete(ownId);
  throw new LockedError();
}

/** Thrown while another request changes the same data, in this process or another one. */
export class LockedError extends OAuthError {
  constructor() {
    super("temporarily_unavailable", "Another request is changing the same data; try again.", {
      headers: { "Retry-After": "1" },
    });
  }
}

/** Why an operator's request was refused, in one sentence. */
export class AdminError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "AdminError";
  override readonly name = "AdminError";
}

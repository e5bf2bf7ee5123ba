import { LockedError } from "./locked_error.ts";
import type { Table } from "./table.ts";

/** A try fails only if another process has changed the row, which is rare. */
const maxTries = 5;

/**
 * Changes a row, and tries again if another process has changed it in the meantime. A deleted row
 * stays deleted; a row for which `change` returns undefined stays as it is.
 */
export async function updateRow<T>(
  table: Table<T>,
  id: string,
  change: (value: T) => T | undefined | Promise<T | undefined>,
): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await table.get(id);
    const value = row && await change(row.value);
    if (!row || value === undefined || await table.replace(id, row, value)) return;
  }
  throw new LockedError();
}

import { day } from "../../util/time/duration.ts";
import { remember } from "../../util/values/memoize.ts";
import { mapCall, type TableCall } from "./store_calls.ts";
import { forever, type Table } from "./table.ts";

/** How many rows a process remembers. */
const maxRemembered = 1000;

/** Returns the call that keeps a row with a value until the end of the day of a time, or longer. */
type LastingRow<T> = (id: string, value: T, end: number) => Promise<TableCall<unknown>>;

/**
 * Creates the function for the rows of a table. A process writes each row once a day, and otherwise
 * reads it: logins of the same user at the same time would wait for each other to write it. A process
 * with longer lifetimes may have written it before.
 */
export function createLastingRow<T>(
  table: Table<T>,
  isSame: (stored: T, value: T) => boolean = () => true,
): LastingRow<T> {
  const written = new Map<string, number>();
  return async (id, value, end) => {
    const until = endOfDay(end);
    if (written.get(id) !== until) {
      const earlier = await table.get(id);
      const write = table.calls.put(id, value, Math.max(until, earlier?.expiresAt ?? 0));
      return mapCall(write, () => remember(written, id, until, maxRemembered));
    }
    return mapCall(table.calls.get(id), (row) => {
      // A server with shorter lifetimes may have written it since.
      const isThere = row !== undefined && row.expiresAt >= until && isSame(row.value, value);
      return isThere ? undefined : table.put(id, value, until);
    });
  };
}

/** PostgreSQL need not change its index for a row that expires as before. */
function endOfDay(time: number): number {
  const length = day * 1000;
  return Math.min(forever, Math.ceil(time / length) * length);
}

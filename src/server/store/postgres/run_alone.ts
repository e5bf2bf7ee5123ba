import { withTimeout } from "../../util/time/promises.ts";
import type { PostgresAddress } from "./address.ts";
import { closeTimeout } from "./connection_slots.ts";
import type { PostgresDriver, Sql } from "./driver.ts";
import { optionsFor, retryCollisions, timeoutError } from "./pool.ts";

/** Where to connect, and with which client. */
export interface PostgresTarget {
  driver: PostgresDriver;
  address: PostgresAddress;
}

/** Runs statements, which may be a transaction, on a separate connection, and closes it. */
export async function runAlone<T>(
  { driver, address }: PostgresTarget,
  milliseconds: number,
  statements: (sql: Sql) => Promise<T>,
): Promise<T> {
  // Assume a connection pooler: whether there is one is not known yet.
  const sql = driver({ ...optionsFor(address, { isPooled: true }), max: 1, max_pipeline: 1 });
  const timedOut = () => timeoutError(milliseconds);
  try {
    return await withTimeout(milliseconds, retryCollisions(() => statements(sql)), timedOut);
  } finally {
    await sql.end({ timeout: closeTimeout });
  }
}

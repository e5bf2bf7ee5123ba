/**
 * A store in PostgreSQL, for many servers at once. It needs the package `postgres`.
 *
 * @example
 * ```ts ignore
 * import { createServer } from "@hallpass/hallpass";
 * import { postgresStore } from "@hallpass/hallpass/postgres";
 *
 * const server = createServer({
 *   issuer: "https://id.example",
 *   store: await postgresStore("postgres://hallpass:password@localhost/hallpass"),
 * });
 * ```
 *
 * @module
 */

import { withTimeout } from "../util/time/promises.ts";
import { parsePostgresUrl, type PostgresAddress } from "./postgres/address.ts";
import {
  checkPrivileges,
  checkWritable,
  findDirectProcess,
  serverWarnings,
} from "./postgres/check_server.ts";
import { closeTimeout } from "./postgres/connection_slots.ts";
import { loadPostgresDriver, type PostgresDriver, type Sql } from "./postgres/driver.ts";
import { isUnavailable, openFailure } from "./postgres/open_failure.ts";
import {
  createPool,
  optionsFor,
  retryCollisions,
  statementTimeout,
  timeoutError,
} from "./postgres/pool.ts";
import { createRowStore } from "./postgres/row_store.ts";
import { migrate, migrationTimeout } from "./postgres/schema.ts";
import type { Store } from "./store.ts";
import { StoreUnavailableError } from "./store_errors.ts";

/**
 * Connects to PostgreSQL, creates or updates its tables, and returns a store there. Rejects if the
 * server refuses to write.
 *
 * The URL is `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Its parameters: `sslmode` (`disable`,
 * `prefer`, `require` or `verify-full`), `schema`, `connections` (the maximum; 10 by default), and
 * `prepare=false` to prepare no statements; a connection pooler is found without it.
 */
export async function postgresStore(url: string): Promise<Store> {
  const address = parsePostgresUrl(url);
  try {
    return await openStore({ driver: await loadPostgresDriver(), address });
  } catch (cause) {
    const Failure = isUnavailable(cause) ? StoreUnavailableError : Error;
    throw new Failure(`Cannot open the store ${address.displayName}: ${openFailure(cause)}.`, {
      cause,
    });
  }
}

async function openStore(target: PostgresTarget): Promise<Store> {
  const { driver, address } = target;
  const isPooled = await runAlone(target, statementTimeout, async (sql) => {
    await checkWritable(sql);
    return await findDirectProcess(sql) === undefined;
  });
  await runAlone(target, migrationTimeout, (sql) => migrate(sql, address.schema));
  const pool = createPool(driver, address, { isPooled });
  try {
    await pool.run((sql) => checkPrivileges(sql, address.schema));
    const warnings = await pool.run((sql) => serverWarnings(sql, address, { isPooled }));
    return Object.assign(createRowStore(pool, address.schema), {
      name: address.displayName,
      warnings,
    });
  } catch (cause) {
    await pool.close();
    throw cause;
  }
}

/** Where to connect, and with which client. */
interface PostgresTarget {
  driver: PostgresDriver;
  address: PostgresAddress;
}

/** Runs statements, which may be a transaction, on a separate connection, and closes it. */
async function runAlone<T>(
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

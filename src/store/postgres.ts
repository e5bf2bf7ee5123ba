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

import { parsePostgresUrl, type PostgresAddress } from "./postgres/address.ts";
import { checkPrivileges, checkWritable, serverWarnings } from "./postgres/check_server.ts";
import { loadPostgresDriver } from "./postgres/driver.ts";
import { openFailure } from "./postgres/open_failure.ts";
import { createPool, type PostgresPool } from "./postgres/pool.ts";
import { createRowStore } from "./postgres/row_store.ts";
import { migrate } from "./postgres/schema.ts";
import type { Store } from "./store.ts";

/**
 * Connects to PostgreSQL, creates or updates its tables, and returns a store there. Rejects if the
 * server refuses to write.
 *
 * The URL is `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. Its parameters: `sslmode` (`disable`,
 * `prefer`, `require` or `verify-full`), `schema`, `connections` (the maximum; 10 by default), and
 * `prepare=false` for a connection pooler that cannot prepare statements.
 */
export async function postgresStore(url: string): Promise<Store> {
  const address = parsePostgresUrl(url);
  try {
    const pool = createPool(await loadPostgresDriver(), address);
    try {
      return await openStoreOn(pool, address);
    } catch (cause) {
      await pool.close();
      throw cause;
    }
  } catch (cause) {
    throw new Error(`Cannot open the store ${address.displayName}: ${openFailure(cause)}.`, {
      cause,
    });
  }
}

async function openStoreOn(pool: PostgresPool, address: PostgresAddress): Promise<Store> {
  await pool.run(checkWritable);
  await pool.runAlone(migrate);
  await pool.run(checkPrivileges);
  const warnings = await pool.run((sql) => serverWarnings(sql, address));
  return { ...createRowStore(pool), name: address.displayName, warnings };
}

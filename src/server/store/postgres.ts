import { messagesOf } from "../util/text/error_message.ts";
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
import {
  codeOf,
  createPool,
  optionsFor,
  retryCollisions,
  statementTimeout,
  timeoutError,
} from "./postgres/pool.ts";
import { createRowStore } from "./postgres/row_store.ts";
import { migrate, migrationTimeout } from "./postgres/schema.ts";
import type { Store } from "./store.ts";
import {
  type FailureReason,
  StoreUnavailableError,
  UnsuitableServerError,
} from "./store_errors.ts";

/** Why a store cannot be opened, by PostgreSQL's code. */
const reasonsByCode: Readonly<Record<string, string>> = {
  "28P01": "the user name or password is wrong",
  "28000": "the server lets this user not in from here. Check its pg_hba.conf",
  "3D000": "there is no database with this name",
  "3F000": "there is no schema with this name",
  "42501": "the user may not create tables there",
  "53300": "the server has no free connection. Raise its max_connections, or set ?connections",
  "57P03": "it is still starting. Try again in a moment",
  "25006": "its transactions only read",
  "57014": "it did not respond in time",
};

/** The same, by the beginning of a network error. */
const reasonsByText: readonly FailureReason[] = [
  [/ECONNREFUSED/, "the connection was refused. Check that PostgreSQL runs there", "passes"],
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo|name resolution/i,
    "the name of its host was not found",
    "passes",
  ],
  [/CONNECT_TIMEOUT|ETIMEDOUT|did not respond/i, "it did not respond in time", "passes"],
  [/cert|SELF_SIGNED|UnknownIssuer|unable to verify/i, "its TLS certificate is not trusted"],
  [
    /CONNECTION_CLOSED|ECONNRESET|EPIPE|closed/i,
    "it closed the connection. Check that it is PostgreSQL, and whether it uses TLS",
    "passes",
  ],
];

/** The codes of a server that is overloaded, starting, stopping, or out of disk space. */
const passingCodes = /^(08|53|57P|57014)/;

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

/** Returns why a store could not be opened, in words. */
export function openFailure(cause: unknown): string {
  if (cause instanceof UnsuitableServerError) return cause.message;
  const [, reason] = reasonByText(cause) ?? [];
  return reasonsByCode[codeOf(cause) ?? ""] ?? reason ?? messagesOf(cause);
}

/** Whether the same address may work later. */
export function isUnavailable(cause: unknown): boolean {
  if (cause instanceof UnsuitableServerError) return false;
  const [, , passes] = reasonByText(cause) ?? [];
  return passes !== undefined || passingCodes.test(codeOf(cause) ?? "");
}

function reasonByText(cause: unknown): FailureReason | undefined {
  const messages = messagesOf(cause);
  return reasonsByText.find(([pattern]) => pattern.test(messages));
}

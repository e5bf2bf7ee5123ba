import { withTimeout } from "../../util/time/promises.ts";
import type { PostgresAddress } from "./address.ts";
import type { PostgresDriver, PostgresOptions, Sql } from "./driver.ts";
import { ForeignResultError } from "./own_result.ts";

/** How long we wait for a statement, in milliseconds. */
export const statementTimeout = 5 * 1000;

/**
 * When the server ends a statement, in milliseconds. It must be later than we give up: a server
 * that stops waiting for its synchronous standby reports success, though a failover would undo the
 * write.
 */
const serverTimeout = statementTimeout + 1000;

/**
 * When the server ends a statement that waits for a lock, in milliseconds. It must be earlier than
 * we give up, so that the statement cannot take effect afterwards.
 */
const lockTimeout = statementTimeout - 1000;

/** The longest pause before a reconnection, in seconds. The first is much shorter. */
const maxReconnectPause = 1;

/** How long a connection may take to close, in seconds. One to a dead server never does. */
export const closeTimeout = 1;

/** How often a statement is tried that collided with others. */
const attempts = 5;

/** Connections to PostgreSQL. */
export interface PostgresPool {
  /** Runs a statement, and again if it collided with another transaction. */
  run<T>(statement: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What is between this server and PostgreSQL. */
export interface PostgresPath {
  /** Whether a connection pooler may give each statement to another connection. */
  isPooled: boolean;
}

/** Opens connections when they are needed. */
export function createPool(
  driver: PostgresDriver,
  address: PostgresAddress,
  path: PostgresPath = { isPooled: false },
): PostgresPool {
  const open = () => driver(optionsFor(address, path));
  const running = new Set<Promise<unknown>>();
  let sql = open();

  /** A connection may wait for an answer that never comes. All are replaced by new ones. */
  function replace(old: Sql): void {
    if (sql !== old) return;
    sql = open();
    old.end({ timeout: 0 }).catch(() => {});
  }

  async function tryOnce<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    const current = sql;
    const timedOut = () => {
      replace(current);
      return new Error(`PostgreSQL did not respond within ${statementTimeout / 1000} seconds.`);
    };
    try {
      return await withTimeout(statementTimeout, statement(current), timedOut);
    } catch (cause) {
      if (isUnusable(cause)) replace(current);
      throw cause;
    }
  }

  return {
    async run(statement) {
      const result = retryCollisions(() => tryOnce(statement));
      running.add(result);
      return await result.finally(() => running.delete(result));
    },
    async close() {
      await Promise.allSettled(running);
      await sql.end({ timeout: closeTimeout });
    },
  };
}

/** Runs statements, and repeats them if they collide with other transactions. */
export async function retryCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1;; left--) {
    try {
      return await run();
    } catch (cause) {
      if (left === 0 || !collisions.has(codeOf(cause))) throw cause;
    }
  }
}

const readOnlyTransaction = "25006";

/** Whether an error shows that other statements must not use the same connections. */
function isUnusable(cause: unknown): boolean {
  // After a failover, the name of the host leads to another server.
  return codeOf(cause) === readOnlyTransaction || cause instanceof ForeignResultError;
}

/** Serialization failures and deadlocks: the statement had no effect, and may succeed next time. */
const collisions: ReadonlySet<string | undefined> = new Set(["40001", "40P01"]);

/** Returns the code of an error, as in appendix A of PostgreSQL's documentation. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !("code" in cause)) return undefined;
  return String(cause.code);
}

/** Returns the options of the client. */
export function optionsFor(address: PostgresAddress, { isPooled }: PostgresPath): PostgresOptions {
  const { hosts, username, password, database, sslMode, connections, isPrepared } = address;
  return {
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    user: username,
    // A function, so that no message quotes it. Without one, the driver reads PGPASSWORD.
    ...password !== "" && { password: () => password },
    database,
    ssl: sslMode === "disable" ? false : sslMode,
    max: connections,
    prepare: isPrepared && !isPooled,
    // One statement at a time on each connection. If the client has to prepare a statement again,
    // it mixes up the results of those that it sent in the meantime.
    max_pipeline: 0,
    connect_timeout: statementTimeout / 1000,
    backoff: (tries: number) => Math.min(0.05 * 2 ** tries, maxReconnectPause),
    // Of several servers, only the one that takes writes.
    ...hosts.length > 1 && { target_session_attrs: "read-write" as const },
    // Our statements use plain types. Asking for others would cost a round trip per connection.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: "hallpass",
      // PgBouncer refuses connections with these parameters.
      ...!isPooled && { statement_timeout: serverTimeout, lock_timeout: lockTimeout },
    },
  };
}

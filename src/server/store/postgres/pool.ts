import { withTimeout } from "../../util/time/promises.ts";
import type { PostgresAddress, PostgresPath } from "./address.ts";
import { checkWritable } from "./check_server.ts";
import { type ConnectionSlot, createConnectionSlots } from "./connection_slots.ts";
import type { PostgresDriver, PostgresOptions, Sql } from "./driver.ts";
import { type ConnectionPath, ForeignResultError } from "./own_result.ts";

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

/**
 * When the connection of a statement is closed, in milliseconds. It must be later than the server
 * ends the statement: a connection that is closed earlier still occupies a place of the server.
 */
const abandonTimeout = serverTimeout + 1000;

/**
 * How long a statement runs, in milliseconds, before we distrust all connections. One that mostly
 * waited for a connection proves nothing: if it replaced connections that respond, the statements
 * behind it would wait for new ones, time out as well, and so on forever.
 */
const suspiciousDuration = statementTimeout / 2;

/** The longest pause before a reconnection, in seconds. The first is much shorter. */
const maxReconnectPause = 1;

/** How often a statement is tried that collided with others. */
const attempts = 5;

export type PostgresPool = ReturnType<typeof createPool>;

/** Opens connections when they are needed. */
export function createPool(
  driver: PostgresDriver,
  address: PostgresAddress,
  path: PostgresPath = { isPooled: false },
) {
  // A client for each connection: one with several opens more while it closes the old ones.
  const options = { ...optionsFor(address, path), max: 1 };
  const connections = createConnectionSlots(() => driver(options), address.connections);

  async function tryOnce<T>(
    statement: (sql: Sql, slot: ConnectionSlot) => Promise<T>,
    { isNew = false } = {},
  ): Promise<T> {
    let slot: ConnectionSlot | undefined;
    let startedAt = 0;
    let isLate = false;
    let abandoning: ReturnType<typeof setTimeout> | undefined;
    const checkTime = () => {
      // The caller has given up, and a write must not come late.
      if (isLate) throw timeoutError();
    };
    const runInSlot = async () => {
      slot = await connections.borrow();
      startedAt = performance.now();
      try {
        checkTime();
        if (isNew) await connections.close(slot);
        const sql = await connections.connect(slot);
        checkTime();
        return await statement(sql, slot);
      } catch (cause) {
        if (cause instanceof ForeignResultError) connections.replaceAll();
        throw cause;
      } finally {
        clearTimeout(abandoning);
        connections.giveBack(slot);
      }
    };
    const abandon = () => slot && connections.close(slot, 0);
    return await withTimeout(statementTimeout, runInSlot(), () => {
      isLate = true;
      if (!slot) return timeoutError();
      const duration = performance.now() - startedAt;
      abandoning = setTimeout(abandon, abandonTimeout - duration);
      // The others may be waiting for responses that never come, too.
      if (duration > suspiciousDuration) connections.replaceAll();
      return timeoutError();
    });
  }

  /** Whether a new connection leads to a server that takes writes. Then all others are replaced. */
  function findWritable(): Promise<boolean> {
    const check = async (sql: Sql, slot: ConnectionSlot) => {
      await checkWritable(sql);
      connections.replaceAll(slot);
    };
    return tryOnce(check, { isNew: true }).then(() => true, () => false);
  }

  let finding: Promise<boolean> | undefined;

  /** Asks once for all statements that fail at the same time. */
  function isWritable(): Promise<boolean> {
    return finding ??= findWritable().finally(() => finding = undefined);
  }

  return {
    /** Runs a statement, and again if it collided with another transaction. */
    async run<T>(statement: (sql: Sql, path?: ConnectionPath) => Promise<T>): Promise<T> {
      const runOnce = () => retryCollisions(() => tryOnce(statement));
      try {
        return await runOnce();
      } catch (cause) {
        // After a failover, the name of the host leads to another server.
        if (codeOf(cause) !== readOnlyTransaction || !await isWritable()) throw cause;
        return await runOnce();
      }
    },
    close: () => connections.closeAll(),
  };
}

/** Creates the error of a statement that took too long. */
export function timeoutError(milliseconds = statementTimeout): Error {
  return new Error(`PostgreSQL did not respond within ${milliseconds / 1000} seconds.`);
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

/** The code of a statement that was refused because its transaction only reads. */
const readOnlyTransaction = "25006";

/** Serialization failures and deadlocks: the statement had no effect, and may succeed next time. */
const collisions: ReadonlySet<string | undefined> = new Set(["40001", "40P01"]);

/** Returns the code of an error, as in appendix A of PostgreSQL's documentation. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !("code" in cause)) return undefined;
  return String(cause.code);
}

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

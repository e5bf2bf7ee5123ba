import { findDirectProcess } from "./check_server.ts";
import type { Sql } from "./driver.ts";

/** What is known of a connection. */
export interface ConnectionPath {
  /** The process of PostgreSQL at its other end; undefined if there may be a pooler between. */
  directProcess?: number | undefined;
}

/**
 * Finds the connections that lead to PostgreSQL itself. One pooler among them, and none counts as
 * direct any more: of many connections through it, one may look direct by chance.
 */
export function createDirectPaths() {
  const found = new Set<ConnectionPath>();
  let isPooled = false;

  async function find(sql: Sql, path: ConnectionPath): Promise<number | undefined> {
    const process = await findDirectProcess(sql);
    found.delete(path);
    // A process serves one connection. A pooler may pass on the number of one that serves many.
    const isShared = [...found].some(({ directProcess }) => directProcess === process);
    isPooled ||= process === undefined || isShared;
    path.directProcess = process;
    found.add(path);
    return isPooled ? undefined : process;
  }

  return {
    /** Returns the process that a connection leads to, if it is direct. Asks once. */
    processOf: (sql: Sql, path: ConnectionPath) =>
      isPooled ? undefined : path.directProcess ?? find(sql, path),
    /** Asks again, as the client may have connected again. */
    find,
  };
}

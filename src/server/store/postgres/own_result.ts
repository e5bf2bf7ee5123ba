import { randomHex } from "../../util/crypto/random_pool.ts";
import { findDirectProcess } from "./check_server.ts";
import type { Sql } from "./driver.ts";

/** Thrown if PostgreSQL returned the result of another statement. */
export class ForeignResultError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "ForeignResultError";

  constructor() {
    super("PostgreSQL returned the result of another statement. All connections were replaced.");
  }
}

export interface ConnectionPath {
  /** The process of PostgreSQL at its other end; undefined if there may be a pooler between. */
  directProcess?: number | undefined;
}

/** A statement. Its text is put together once: doing so for each call would double its cost. */
export interface Statement {
  plain: TemplateStringsArray;
  /** Repeats its last value in every row of its result. */
  marked: TemplateStringsArray;
}

/** A value that is sent with a statement. */
export type Value = string | number;

/** Creates a statement: parts that have names, and a query that returns rows with a `kind`. */
export function createStatement(
  query: string,
  parts: ReadonlyArray<[name: string, text: string]> = [],
): Statement {
  const named = parts.map(([name, text]) => `${name} AS (${text})`);
  const before = named.length > 0 ? `WITH ${named.join(", ")} ` : "";
  const marked = `SELECT mark.call, found.*
    FROM (${query}) AS found RIGHT JOIN (SELECT ?::text AS call) AS mark ON true`;
  return { plain: template(before + query), marked: template(before + marked) };
}

/**
 * Runs statements, and accepts only their own results. Marks each statement with a number that its
 * result must repeat, even a result without rows: the missing row may be a revocation.
 *
 * A client that pipelines statements, or a connection pooler, may mix up results. Then a code could
 * be redeemed more than once, or for another user. Only a connection that runs one statement at a
 * time in a process of PostgreSQL cannot, and has no marks.
 */
export function createOwnResults(
  run: <T>(statement: (sql: Sql, path?: ConnectionPath) => Promise<T>) => Promise<T>,
) {
  const paths = createDirectPaths();

  async function rowsOf<T extends { kind: unknown }>(
    sql: Sql,
    path: ConnectionPath | undefined,
    { plain, marked }: Statement,
    values: readonly Value[],
  ): Promise<readonly T[]> {
    const process = path && await paths.processOf(sql, path);
    if (path && process !== undefined) {
      const rows = await sql<T[]>(plain, ...values);
      const { pid } = rows.state;
      if (pid === process) return rows;
      // The client has connected again, and perhaps to a pooler.
      if (pid !== await paths.find(sql, path)) throw new ForeignResultError();
      // If the old connection broke off within a result, the client counts its rows on in the first
      // result of the new one, which then begins with gaps.
      return rows.filter(() => true);
    }
    const call = randomHex();
    const rows = await sql<Array<T & { call: string }>>(marked, ...values, call);
    const isOwn = rows.length > 0 && rows.every((row) => row.call === call);
    if (!isOwn) throw new ForeignResultError();
    return rows.filter(({ kind }) => kind !== null);
  }

  /** Runs a statement. Reads its rows, and rejects them if one was not asked for. */
  return <T extends { kind: unknown }, Result>(
    statement: Statement,
    values: readonly Value[],
    read: (rows: readonly T[]) => Result,
  ): Promise<Result> =>
    run(async (sql, path) => read(await rowsOf<T>(sql, path, statement, values)));
}

/**
 * Finds the connections that lead to PostgreSQL itself. One pooler among them, and none counts as
 * direct any more: of many connections through it, one may look direct by chance.
 */
function createDirectPaths() {
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

/** Returns what a tag of a template literal takes. Each `?` is a value. */
function template(text: string): TemplateStringsArray {
  const strings = text.split("?");
  return Object.assign(strings, { raw: strings });
}

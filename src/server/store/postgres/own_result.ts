import { randomHex } from "../../util/crypto/random_pool.ts";
import { type ConnectionPath, createDirectPaths } from "./direct_paths.ts";
import type { Sql } from "./driver.ts";

/** Thrown if PostgreSQL returned the result of another statement. */
export class ForeignResultError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "ForeignResultError";

  constructor() {
    super("PostgreSQL returned the result of another statement. All connections were replaced.");
  }
}

/** A statement. Its text is put together once: doing so for each call would double its cost. */
export interface Statement {
  plain: TemplateStringsArray;
  /** Repeats its first value in every row of its result. */
  marked: TemplateStringsArray;
}

/** A value that is sent with a statement. */
type Value = string | number | null;

/** What a marked statement returns. */
interface Marked {
  call: string;
  /** How many rows it changed. */
  count: number;
}

type RunStatement = <T>(statement: (sql: Sql, path?: ConnectionPath) => Promise<T>) => Promise<T>;

/** Creates a SELECT whose rows have an `id`. Each `?` is a value. */
export function selection(text: string): Statement {
  return {
    plain: template(text),
    marked: template(`
      SELECT ?::text AS call, found.*
      FROM (SELECT 1) AS always LEFT JOIN (${text}) AS found ON true
      ORDER BY found.id`),
  };
}

/** Creates an INSERT, UPDATE or DELETE. Each `?` is a value. */
export function modification(text: string): Statement {
  return {
    plain: template(text),
    marked: template(`
      WITH mark AS (SELECT ?::text AS call), changed AS (${text} RETURNING 1)
      SELECT call, (SELECT count(*)::integer FROM changed) AS count FROM mark`),
  };
}

/** Returns what a tag of a template literal takes. */
function template(text: string): TemplateStringsArray {
  const strings = text.split("?");
  return Object.assign(strings, { raw: strings });
}

/**
 * Runs statements, and accepts only their own results. Marks each statement with a number that its
 * result must repeat, even a result without rows: the missing row may be a revocation.
 *
 * A client that pipelines statements, or a connection pooler, may mix up results. Then a code could
 * be redeemed more than once, or for another user. Only a connection that runs one statement at a
 * time in a process of PostgreSQL cannot, and has no marks.
 */
export function createOwnResults(run: RunStatement) {
  const paths = createDirectPaths();

  async function rowsOf<T>(
    sql: Sql,
    path: ConnectionPath | undefined,
    { plain, marked }: Statement,
    values: readonly Value[],
  ) {
    const process = path && await paths.processOf(sql, path);
    if (path && process !== undefined) {
      const rows = await sql<Array<T & Partial<Marked>>>(plain, ...values);
      const { pid } = rows.state;
      // The client has connected again, and perhaps to a pooler.
      if (pid !== process && pid !== await paths.find(sql, path)) throw new ForeignResultError();
      return rows;
    }
    const call = randomHex();
    const rows = await sql<Array<T & Partial<Marked>>>(marked, call, ...values);
    const isOwn = rows.length > 0 && rows.every((row) => row.call === call);
    if (!isOwn) throw new ForeignResultError();
    return rows;
  }

  return {
    /** Runs a SELECT, and returns its rows by id. Each must be asked for. */
    select: <T extends { id: unknown }>(
      statement: Statement,
      values: readonly Value[],
      isAskedFor: (row: T) => boolean,
    ) =>
      run(async (sql, path) => {
        const rows = await rowsOf<T>(sql, path, statement, values);
        const found = rows.filter(({ id }) => id !== null);
        if (!found.every(isAskedFor)) throw new ForeignResultError();
        return found;
      }),
    /** Runs an INSERT, UPDATE or DELETE, and returns how many rows it changed. */
    change: (statement: Statement, values: readonly Value[]) =>
      run(async (sql, path) => {
        const rows = await rowsOf(sql, path, statement, values);
        return rows[0]?.count ?? rows.count;
      }),
  };
}

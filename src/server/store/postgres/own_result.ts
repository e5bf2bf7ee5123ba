import { randomHex } from "../../util/crypto/random_pool.ts";
import type { Sql, Statement } from "./driver.ts";

/** Thrown if PostgreSQL returned the result of another statement. */
export class ForeignResultError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "ForeignResultError";

  constructor() {
    super("PostgreSQL returned the result of another statement. All connections were replaced.");
  }
}

type RunStatement = <T>(statement: (sql: Sql) => Promise<T>) => Promise<T>;

/** The number of its statement, which every row of a result repeats. */
interface Marked {
  call: string;
}

/**
 * Runs statements, and accepts only their own results. Marks each statement with a number that its
 * result must repeat, even a result without rows: the missing row may be a revocation.
 *
 * A client that pipelines statements, or a connection pooler, may mix up results. Then a code could
 * be redeemed more than once, or for another user.
 */
export function createOwnResults(run: RunStatement) {
  return {
    /** Runs a SELECT whose rows have an `id`, and returns them by id. Each must be asked for. */
    select: <T extends { id: unknown }>(
      query: (sql: Sql) => Statement,
      isAskedFor: (row: T) => boolean,
    ) =>
      run(async (sql) => {
        const call = randomHex(2);
        const rows = await sql<Array<T & Marked>>`
          SELECT ${call}::text AS call, found.*
          FROM (SELECT 1) AS always LEFT JOIN (${query(sql)}) AS found ON true
          ORDER BY found.id`;
        checkCall(rows, call);
        const found = rows.filter(({ id }) => id !== null);
        if (!found.every(isAskedFor)) throw new ForeignResultError();
        return found;
      }),
    /** Runs an INSERT, UPDATE or DELETE, and returns how many rows it changed. */
    change: (statement: (sql: Sql) => Statement) =>
      run(async (sql) => {
        const call = randomHex(2);
        const rows = await sql<Array<Marked & { count: number }>>`
          WITH changed AS (${statement(sql)} RETURNING 1)
          SELECT ${call}::text AS call, count(*)::integer AS count FROM changed`;
        checkCall(rows, call);
        return rows[0]?.count ?? 0;
      }),
  };
}

function checkCall(rows: readonly Marked[], call: string): void {
  const isOwn = rows.length > 0 && rows.every((row) => row.call === call);
  if (!isOwn) throw new ForeignResultError();
}

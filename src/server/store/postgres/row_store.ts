import { withBatch } from "../batch.ts";
import { type BatchedCall, type BatchedResult, defaultSweep, type Store } from "../store.ts";
import { qualify } from "./address.ts";
import { groupCalls } from "./call_groups.ts";
import { createOwnResults, createStatement, ForeignResultError } from "./own_result.ts";
import type { PostgresPool } from "./pool.ts";
import { plan, type PlannedCall, plans } from "./row_calls.ts";
import { createRowStatements, type FoundRow, keyOf } from "./row_statements.ts";

/** Stores rows in PostgreSQL: one statement, and so one round trip, per call. */
export function createRowStore(pool: PostgresPool, schema?: string): Store {
  const execute = createOwnResults(pool.run);
  const table = qualify("hallpass_rows", schema);
  const statementOf = createRowStatements(table);
  const { sweep, now, size } = createOtherStatements(table);

  const findRows = groupCalls((calls) => {
    const [statement, values] = statementOf(calls);
    return execute(statement, values, (rows: readonly FoundRow[]) => assign(rows, calls));
  });

  async function makeAtOnce<Result>(calls: ReadonlyArray<PlannedCall<Result>>): Promise<Result[]> {
    const found = await findRows(calls);
    return calls.map((call, n) => call.resultOf(found[n] ?? []));
  }

  async function make<Result>(call: PlannedCall<Result>): Promise<Result> {
    const [found = []] = await findRows([call]);
    return call.resultOf(found);
  }

  async function batch(calls: readonly BatchedCall[]): Promise<BatchedResult[]> {
    const results: BatchedResult[] = [];
    for (let left = calls.map(plan); left.length > 0;) {
      const made = left.slice(0, countAtOnce(left));
      results.push(...await makeAtOnce(made));
      left = left.slice(made.length);
    }
    return results;
  }

  return withBatch({
    get: (...args) => make(plans.get(...args)),
    put: (...args) => make(plans.put(...args)),
    add: (...args) => make(plans.add(...args)),
    consume: (...args) => make(plans.consume(...args)),
    delete: (...args) => make(plans.delete(...args)),
    list: (...args) => make(plans.list(...args)),
    sweep: (before, limit = defaultSweep) => execute(sweep, [before, limit], readNumber),
    now: () => execute(now, [], readNumber),
    size: async () => ({ bytes: await execute(size, [table], readNumber) }),
    close: pool.close,
  }, batch);
}

/** Creates the statements that return a single number. */
function createOtherStatements(table: string) {
  const single = "SELECT 'number' AS kind";
  // Several servers sweep at once: each takes rows that no other is deleting.
  const sweep = `DELETE FROM ${table} WHERE (kind, id) IN (
    SELECT kind, id FROM ${table} WHERE expires_at < ?::double precision
    ORDER BY expires_at LIMIT ?::bigint FOR UPDATE SKIP LOCKED) RETURNING 1`;
  return {
    sweep: createStatement(`${single}, count(*) AS number FROM swept`, [["swept", sweep]]),
    now: createStatement(`${single}, extract(epoch FROM clock_timestamp()) * 1000 AS number`),
    size: createStatement(`${single}, pg_total_relation_size(?) AS number`),
  };
}

function readNumber([row]: ReadonlyArray<{ kind: string; number: unknown }>): number {
  if (row?.kind !== "number") throw new ForeignResultError();
  return Number(row.number);
}

/**
 * Returns how many of the first calls one statement makes as if one after the other. It reads what
 * was there when it began, so no read comes after a write. It changes a row once.
 */
function countAtOnce(calls: readonly PlannedCall[]): number {
  const changed = new Set<string>();
  const end = calls.findIndex((call) => {
    const isTooLate = call.part === "find" ? changed.size > 0 : changed.has(keyOf(call));
    if (call.part !== "find") changed.add(keyOf(call));
    return isTooLate;
  });
  return end < 0 ? calls.length : end;
}

/** Returns the rows of each call. Each row must be asked for. */
function assign(
  rows: readonly FoundRow[],
  calls: ReadonlyArray<PlannedCall<unknown>>,
): FoundRow[][] {
  const found = calls.map((): FoundRow[] => []);
  const finds: number[] = [];
  const changes = new Map<string, number>();
  for (const [at, call] of calls.entries()) {
    if (call.part === "find") finds.push(at);
    else changes.set(keyOf(call), at);
  }
  for (const row of rows) {
    const at = (typeof row.n === "number" ? finds[row.n - 1] : changes.get(keyOf(row))) ?? -1;
    if (!calls[at]?.asksFor(row)) throw new ForeignResultError();
    found[at]?.push(row);
  }
  return found;
}

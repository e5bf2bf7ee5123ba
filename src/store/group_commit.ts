import { setImmediate } from "node:timers";

/** As much of a SQL database as it takes. */
interface Database {
  exec(sql: string): void;
}

/** Collects the writes of one turn of the event loop, commits them together, and only then answers all of them. */
export interface GroupCommit {
  write<T>(run: () => T): Promise<T>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

interface Write {
  run: () => unknown;
  resolve: (result: unknown) => void;
  reject: (cause: unknown) => void;
}

/** How long writes wait for another process to finish its own, in milliseconds. */
const patience = 5000;
const pause = 5;

export function createGroupCommit(database: Database): GroupCommit {
  let waiting: Write[] = [];
  let last: Promise<unknown> = Promise.resolve();

  function commitWaiting(): void {
    const writes = waiting;
    waiting = [];
    commitOrWait(writes, patience);
  }

  function commitOrWait(writes: Write[], left: number): void {
    try {
      commit(writes);
    } catch (cause) {
      if (isBusy(cause) && left > 0) setTimeout(() => commitOrWait(writes, left - pause), pause);
      else if (!isBusy(cause) && writes.length > 1) { for (const write of writes) commitOrWait([write], left); }
      else for (const { reject } of writes) reject(cause);
    }
  }

  function commit(writes: readonly Write[]): void {
    database.exec("BEGIN IMMEDIATE");
    try {
      const results = writes.map(({ run }) => run());
      database.exec("COMMIT");
      writes.forEach(({ resolve }, at) => resolve(results[at]));
    } catch (cause) {
      rollBack(database);
      throw cause;
    }
  }

  return {
    write<T>(run: () => T): Promise<T> {
      const written = new Promise<T>((resolve, reject) => {
        waiting.push({ run, resolve: resolve as Write["resolve"], reject });
        if (waiting.length === 1) setImmediate(commitWaiting);
      });
      last = Promise.allSettled([last, written]);
      return written;
    },
    settled: async () => void await last,
  };
}

/** Some failures end the transaction by themselves. */
function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is nothing left to roll back.
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && /database (table )?is locked|SQLITE_BUSY/i.test(cause.message);
}

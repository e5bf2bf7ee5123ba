import { setImmediate, setTimeout } from "node:timers";

/** As much of a SQL database as it takes. */
interface Database {
  exec(sql: string): void;
}

/** Runs statements on a file that other processes write as well. */
export interface GroupCommit {
  /** Commits the write together with all others of this turn of the event loop. */
  write<T>(run: () => T): Promise<T>;
  /** Reads at once, or as soon as no other process has locked the file. */
  read<T>(run: () => T): Promise<T>;
  /** Resolves when no write is waiting. */
  settled(): Promise<void>;
}

interface QueuedWrite {
  run: () => unknown;
  resolve: (result: unknown) => void;
  reject: (cause: unknown) => void;
  /** Until when it may wait for other processes, by the clock. */
  deadline: number;
}

/** How it measures and passes time, in milliseconds. */
interface Timing {
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

const systemTiming: Timing = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Longest wait for another process to finish its own write, in milliseconds. */
const timeout = 5000;
const retryPause = 5;

/** One queue and one loop: however many writes wait, another process's lock costs one attempt per pause. */
export function createGroupCommit(
  database: Database,
  { now, pause }: Timing = systemTiming,
): GroupCommit {
  const queue: QueuedWrite[] = [];
  /** How many of the next writes are committed alone, because one of them made their group fail. */
  let alone = 0;
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const busy = commitNext();
      if (busy === undefined) continue;
      rejectLate(busy);
      if (queue.length > 0) await pause(retryPause);
    }
    draining = undefined;
  }

  /** Returns why the file is busy, where it is. */
  function commitNext(): unknown {
    const group = alone > 0 ? queue.slice(0, 1) : [...queue];
    try {
      commit(database, group);
    } catch (cause) {
      if (isBusy(cause)) return cause;
      if (group.length > 1) return void (alone = group.length);
      group[0].reject(cause);
    }
    queue.splice(0, group.length);
    alone = Math.max(0, alone - 1);
  }

  function rejectLate(cause: unknown): void {
    const late = queue.filter(({ deadline }) => deadline <= now());
    queue.splice(0, late.length);
    alone = Math.max(0, alone - late.length);
    for (const { reject } of late) reject(cause);
  }

  return {
    write<T>(run: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push({
          run,
          resolve: resolve as QueuedWrite["resolve"],
          reject,
          deadline: now() + timeout,
        });
        draining ??= drain();
      });
    },
    async read(run) {
      const deadline = now() + timeout;
      while (true) {
        try {
          return run();
        } catch (cause) {
          if (!isBusy(cause) || deadline <= now()) throw cause;
          await pause(retryPause);
        }
      }
    },
    settled: async () => await draining,
  };
}

function commit(database: Database, writes: readonly QueuedWrite[]): void {
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

import { setImmediate, setTimeout } from "node:timers";

/** How long a statement waits for another process to finish its write, in milliseconds. */
const lockTimeout = 5 * 1000;

/** How long to wait between two attempts, in milliseconds. */
const retryPause = 5;

/** How many writes are committed without waiting for more. */
const fullGroup = 64;

/** How many turns must bring no writes before a commit begins, which takes longer than these. */
const quietTurns = 2;

/** A clock, in milliseconds. Tests replace it. */
interface Timing {
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

const systemTiming: Timing = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * Makes several writes in one transaction, and returns the result of each once it is durable. Throws
 * if none of them was made.
 */
export type Commit<Write, Result> = (
  writes: readonly Write[],
) => readonly Result[] | Promise<readonly Result[]>;

/**
 * Groups writes to a file that other processes write as well. What arrives while a group is
 * committed is the next group. A locked file costs one attempt per pause, however many writes wait.
 */
export function createGroupCommit<Write, Result>(
  commit: Commit<Write, Result>,
  { now, pause }: Timing = systemTiming,
) {
  const queue = createWriteQueue(commit);
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (queue.size() > 0) {
      await collect();
      const lockError = await queue.commitNext();
      if (lockError === undefined) continue;
      queue.rejectOverdue(now(), lockError);
      if (queue.size() > 0) await pause(retryPause);
    }
    draining = undefined;
  }

  /** Waits as long as turns bring more writes. */
  async function collect(): Promise<void> {
    let quiet = 0;
    while (quiet < quietTurns && queue.size() < fullGroup) {
      const collected = queue.size();
      await new Promise<void>((resolve) => setImmediate(resolve));
      quiet = queue.size() > collected ? 0 : quiet + 1;
    }
  }

  return {
    /** Makes a write together with those of the same turn of the event loop, or the next ones. */
    write(write: Write): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        queue.add({ write, resolve, reject, deadline: now() + lockTimeout });
        draining ??= drain();
      });
    },
    /** Reads, or does something else at once, as soon as nobody else has locked the file. */
    async read<T>(run: () => T): Promise<T> {
      const deadline = now() + lockTimeout;
      while (true) {
        try {
          return run();
        } catch (cause) {
          if (!isLocked(cause) || deadline <= now()) throw cause;
          await pause(retryPause);
        }
      }
    },
    /** Resolves when no write is waiting. */
    settled: async () => await draining,
  };
}

/** The part of a SQL database that commits writes. */
export interface Database {
  exec(sql: string): void;
}

/** A write that waits to be committed. */
export interface QueuedWrite<Write, Result> {
  write: Write;
  resolve: (result: Result) => void;
  reject: (cause: unknown) => void;
  /** Until when the write may wait for other processes, in milliseconds. */
  deadline: number;
  /** Whether it is committed alone, because a group that it was in failed. */
  isAlone?: boolean;
}

/** Queues writes to a file that other processes write as well. */
export function createWriteQueue<Write, Result>(commit: Commit<Write, Result>) {
  const queue: Array<QueuedWrite<Write, Result>> = [];
  return {
    size: () => queue.length,
    add: (write: QueuedWrite<Write, Result>) => void queue.push(write),
    /**
     * Commits the next writes: all of them, or one by one after they failed together. Where the disk
     * has failed, all of them fail. Returns the error if another process has locked the file.
     */
    async commitNext(): Promise<unknown> {
      const group = queue[0]?.isAlone ? queue.slice(0, 1) : [...queue];
      try {
        const results = await commit(group.map(({ write }) => write));
        group.forEach(({ resolve }, at) => resolve(results[at] as Result));
      } catch (cause) {
        if (isLocked(cause)) return cause;
        if (group.length > 1 && !isDiskError(cause)) {
          for (const write of group) write.isAlone = true;
          return undefined;
        }
        for (const { reject } of group) reject(cause);
      }
      // What came meanwhile is behind them.
      queue.splice(0, group.length);
      return undefined;
    },
    /** Rejects the writes whose deadline has come. */
    rejectOverdue(now: number, cause: unknown): void {
      const overdue = queue.filter(({ deadline }) => deadline <= now);
      queue.splice(0, overdue.length);
      for (const { reject } of overdue) reject(cause);
    },
  };
}

/** Whether somebody else has locked the file. */
export function isLocked(cause: unknown): boolean {
  return cause instanceof Error && /database (table )?is locked|SQLITE_BUSY/i.test(cause.message);
}

function isDiskError(cause: unknown): boolean {
  return cause instanceof Error && /disk I\/O error/i.test(cause.message);
}

export function inTransaction<T>(database: Database, run: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = run();
    database.exec("COMMIT");
    return result;
  } catch (cause) {
    rollBack(database);
    throw cause;
  }
}

/** Some errors end the transaction themselves. */
function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // The transaction has ended already.
  }
}

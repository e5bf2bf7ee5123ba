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
 * Runs statements on a file that other processes write as well. A locked file costs one attempt per
 * pause, however many writes wait.
 */
export function createGroupCommit(database: Database, { now, pause }: Timing = systemTiming) {
  const queue = createWriteQueue(database);
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    await collect();
    while (queue.size() > 0) {
      const lockError = queue.commitNext();
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
    /** Commits a write together with those of the same turn of the event loop, or the next ones. */
    write<T>(run: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const runLater = () => {
          const result = run();
          return () => resolve(result);
        };
        queue.add({ run: runLater, reject, deadline: now() + lockTimeout });
        draining ??= drain();
      });
    },
    /** Reads as soon as no other process has locked the file. */
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
export interface QueuedWrite {
  /** Runs the statement, and returns a function that delivers its result. */
  run: () => () => void;
  reject: (cause: unknown) => void;
  /** Until when the write may wait for other processes, in milliseconds. */
  deadline: number;
  /** Whether it is committed alone, because a group that it was in failed. */
  isAlone?: boolean;
}

/** Queues writes to a file that other processes write as well. */
export function createWriteQueue(database: Database) {
  const queue: QueuedWrite[] = [];
  return {
    size: () => queue.length,
    add: (write: QueuedWrite) => void queue.push(write),
    /**
     * Commits the next writes: all of them, or one by one after they failed together. Returns the
     * error if another process has locked the file.
     */
    commitNext(): unknown {
      const group = queue[0]?.isAlone ? queue.slice(0, 1) : [...queue];
      try {
        commit(database, group);
      } catch (cause) {
        if (isLocked(cause)) return cause;
        if (group.length > 1) {
          for (const write of group) write.isAlone = true;
          return undefined;
        }
        for (const { reject } of group) reject(cause);
      }
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

/** Whether another process has locked the file. */
export function isLocked(cause: unknown): boolean {
  return cause instanceof Error && /database (table )?is locked|SQLITE_BUSY/i.test(cause.message);
}

function commit(database: Database, writes: readonly QueuedWrite[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const deliveries = writes.map(({ run }) => run());
    database.exec("COMMIT");
    for (const deliver of deliveries) deliver();
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

import { setImmediate, setTimeout } from "node:timers";

/** How long a statement waits for another process to finish its write, in milliseconds. */
const lockTimeout = 5 * 1000;

/** How long to wait between two attempts, in milliseconds. */
const retryPause = 5;

/** How many writes are committed without waiting for more. */
const fullGroup = 64;

/** The part of a SQL database that a group commit needs. */
interface Database {
  exec(sql: string): void;
}

/** Runs statements on a file that other processes write as well. */
export interface GroupCommit {
  /** Commits a write together with those of the same turn of the event loop, or the next ones. */
  write<T>(run: () => T): Promise<T>;
  /** Reads as soon as no other process has locked the file. */
  read<T>(run: () => T): Promise<T>;
  /** Resolves when no write is waiting. */
  settled(): Promise<void>;
}

interface QueuedWrite {
  /** Runs the statement, and returns a function that delivers its result. */
  run: () => () => void;
  reject: (cause: unknown) => void;
  /** How long the write may wait for other processes, by the clock of `Timing`. */
  deadline: number;
  /** Whether it is committed alone, because a group that it was in failed. */
  isAlone: boolean;
}

/** A clock, in milliseconds. Tests replace it. */
interface Timing {
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

const systemTiming: Timing = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Creates a queue. A locked file costs one attempt per pause, however many writes wait. */
export function createGroupCommit(
  database: Database,
  { now, pause }: Timing = systemTiming,
): GroupCommit {
  const queue: QueuedWrite[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    await collect();
    while (queue.length > 0) {
      const lockError = commitNext();
      if (lockError === undefined) continue;
      rejectOverdue(lockError);
      if (queue.length > 0) await pause(retryPause);
    }
    draining = undefined;
  }

  /** Waits as long as each turn brings more writes: a commit takes longer than several turns. */
  async function collect(): Promise<void> {
    let collected: number;
    do {
      collected = queue.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    } while (queue.length > collected && queue.length < fullGroup);
  }

  /** Commits the next writes. Returns the error if another process has locked the file. */
  function commitNext(): unknown {
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
  }

  function rejectOverdue(cause: unknown): void {
    const overdue = queue.filter(({ deadline }) => deadline <= now());
    queue.splice(0, overdue.length);
    for (const { reject } of overdue) reject(cause);
  }

  return {
    write<T>(run: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const runLater = () => {
          const result = run();
          return () => resolve(result);
        };
        queue.push({ run: runLater, reject, deadline: now() + lockTimeout, isAlone: false });
        draining ??= drain();
      });
    },
    async read(run) {
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
    settled: async () => await draining,
  };
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

function isLocked(cause: unknown): boolean {
  return cause instanceof Error && /database (table )?is locked|SQLITE_BUSY/i.test(cause.message);
}

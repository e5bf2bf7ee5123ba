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

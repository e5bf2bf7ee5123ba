import { setImmediate, setTimeout } from "node:timers";
import { createWriteQueue, type Database, isLocked } from "./write_queue.ts";

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

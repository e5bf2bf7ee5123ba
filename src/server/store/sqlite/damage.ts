import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../util/text/error_message.ts";

/** What SQLite reports of a damaged file, or of a disk that fails. */
const signs = /disk image is malformed|file is not a database|disk I\/O error/i;

/**
 * Remembers that a call met damage. A probe in a sound part of the file would not notice it, while
 * requests that need the rest fail.
 */
export function createDamageWatch(database: DatabaseSync) {
  let isSuspected = false;
  return {
    /** Waits for a call, and notes whether it met damage. */
    async watch<T>(call: Promise<T>): Promise<T> {
      try {
        return await call;
      } catch (cause) {
        if (signs.test(messageOf(cause))) isSuspected = true;
        throw cause;
      }
    },
    /** Reads the whole file if damage is suspected. Throws until that finds none. */
    check(): void {
      if (!isSuspected) return;
      const [first] = database.prepare("PRAGMA quick_check(1)").all();
      if (first?.quick_check !== "ok") throw new Error(damaged);
      isSuspected = false;
    },
  };
}

const damaged = "The SQLite file is damaged. Stop the server, and restore a backup.";

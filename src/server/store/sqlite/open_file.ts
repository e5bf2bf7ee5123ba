import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../util/text/error_message.ts";
import { UnreadableStoreError } from "../store_errors.ts";

/** What SQLite reports of a damaged file, or of a disk that fails. */
const signs = /disk image is malformed|file is not a database|disk I\/O error/i;

/** Those of them that another try does not change. */
const lastingSigns = /disk image is malformed|file is not a database/i;

const damaged = "The SQLite file is damaged. Stop the server, and restore a backup.";

/** A file, identified by its inode: its name may belong to another one now. */
export interface OpenFile {
  path: string;
  inode: number;
  mode: number;
}

/** Creates a file if there is none, readable for this user alone, and returns which one it is. */
export function touchFile(path: string): OpenFile {
  const descriptor = openSync(path, "a", 0o600);
  try {
    const { ino: inode, mode } = fstatSync(descriptor);
    return { path, inode, mode };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Checks that the file that this process writes is the one that others find. After `rm` or `mv`,
 * everything would go on to work, on a file that is lost with the process.
 */
export function checkInPlace({ path, inode }: OpenFile): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.ino === inode) return;
  const happened = found ? "replaced" : "deleted";
  throw new Error(
    `${path} was ${happened} while this server uses it. What the server writes is lost when it ` +
      "ends: stop it, and restore a backup.",
  );
}

/** Returns why others could read the keys and tokens in a file, as warnings for the operator. */
export function permissionWarnings({ path, mode }: OpenFile): string[] {
  // Windows has other permissions.
  const isOpen = sep === "/" && (mode & 0o007) !== 0;
  return isOpen
    ? [`Every user of this machine can open ${path}, which contains keys: chmod 600 ${path}`]
    : [];
}

/**
 * Returns whether a process goes on with a file that was deleted at this path. Only Linux says so,
 * and only of processes that this user may look at.
 */
export function isOpenThoughDeleted(path: string): boolean {
  const name = `${join(realpathSync(dirname(path)), basename(path))} (deleted)`;
  return namesIn("/proc")
    .filter((id) => /^\d+$/.test(id))
    .some((id) => openedBy(id).includes(name));
}

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
        const message = messageOf(cause);
        if (signs.test(message)) isSuspected = true;
        throw lastingSigns.test(message) ? new UnreadableStoreError(damaged, { cause }) : cause;
      }
    },
    /**
     * Reads the whole file if damage is suspected, and returns whether it was. Throws until that
     * finds none.
     */
    check(): boolean {
      if (!isSuspected) return false;
      const [first] = database.prepare("PRAGMA quick_check(1)").all();
      if (first?.quick_check !== "ok") throw new Error(damaged);
      isSuspected = false;
      return true;
    },
  };
}

function openedBy(processId: string): string[] {
  const folder = `/proc/${processId}/fd`;
  return namesIn(folder).map((descriptor) => targetOf(`${folder}/${descriptor}`));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no such folder, or it belongs to another user.
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // It was closed meanwhile.
    return "";
  }
}

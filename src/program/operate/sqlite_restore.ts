import { chownSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isOpenThoughDeleted } from "../../server/store/sqlite/open_file.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { copyDatabase, syncFile, syncFolder } from "./sqlite_backup.ts";

/** The files that SQLite keeps next to a database. */
const companions = ["", "-wal", "-shm"];

/** A backup that was copied next to a store, and is ready to take its place. */
export interface PreparedStore {
  path: string;
  /** Deletes it, unless it took the place of the store. */
  discard(): void;
}

/**
 * Copies a backup next to a store, where it can be tried before it takes its place. Opening it
 * brings its tables to the current version.
 */
export async function prepareRestore(file: string, path: string): Promise<PreparedStore> {
  const prepared = `${path}.restoring`;
  const discard = () => {
    for (const suffix of companions) rmSync(prepared + suffix, { force: true });
  };
  discard();
  try {
    await copyDatabase(file, prepared);
    keepOwner(prepared, path);
    const database = new DatabaseSync(prepared);
    database.exec("DROP TABLE IF EXISTS backup");
    database.close();
  } catch (cause) {
    discard();
    throw cause;
  }
  return { path: prepared, discard };
}

/**
 * Puts a prepared store in the place of another one, which keeps its content under the name that is
 * given. Returns whether there was one.
 */
export function replaceStore(
  { path: prepared }: PreparedStore,
  path: string,
  keptAs: string,
): boolean {
  const replaced = existsSync(path);
  if (replaced) checkUnused(path);
  if (isOpenThoughDeleted(path)) throw inUse(path);
  // SQLite would add an old log to the new file.
  for (const suffix of companions) {
    if (existsSync(path + suffix)) renameSync(path + suffix, keptAs + suffix);
  }
  // So that a power cut loses nothing.
  syncFile(prepared);
  renameSync(prepared, path);
  // So that a power cut loses nothing.
  syncFolder(path);
  return replaced;
}

/**
 * Checks that no server has the store open: it would go on with the old file, and lose everything
 * that it acknowledges. Only a lone user of a file can end its write-ahead log.
 */
function checkUnused(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.prepare("PRAGMA journal_mode = DELETE").get();
  } catch (cause) {
    // A damaged store may be the reason to restore a backup.
    if (!/locked|busy/i.test(messageOf(cause))) return;
    throw inUse(path);
  } finally {
    database.close();
  }
}

function inUse(path: string): Error {
  return new Error(`A server uses ${path}. Stop every server that does, and try again.`);
}

/** Gives a file to the owner of the one it will replace, or else of the folder. Root alone may. */
function keepOwner(prepared: string, path: string): void {
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
  try {
    chownSync(prepared, uid, gid);
  } catch {
    // It belongs to the user who restores it.
  }
}

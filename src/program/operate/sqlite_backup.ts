import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import * as sqlite from "node:sqlite";
import { encryptedMark } from "../../server/issuer/keys/cipher.ts";
import { isOfEarlierForm, isOurs, readVersion } from "../../server/store/sqlite/schema.ts";
import { messageOf } from "../../server/util/text/error_message.ts";

/** More pages than a file can have. */
const allPages = 2 ** 31 - 1;

/**
 * Finds a key or secret that is not encrypted, or the note that what is left of one must be erased
 * (`secrets_at_rest.ts`).
 */
const clearTexts = `SELECT 1 FROM rows WHERE kind = 'erasure' AND expires_at > 0
  OR kind = 'secret' AND value NOT LIKE '"${encryptedMark}%'
  OR kind = 'key' AND value LIKE '%"encryptedKey":"%'
    AND value NOT LIKE '%"encryptedKey":"${encryptedMark}%'
  OR kind = 'client' AND replace(value, '"encryptedText":"${encryptedMark}', '')
    LIKE '%"encryptedText":"%'
  LIMIT 1`;

export interface BackupOrigin {
  /** The issuer identifier of the server. */
  issuer: string;
  /** When the backup was made, in ISO 8601. */
  madeAt: string;
}

/** What a file that can be restored contains. */
export interface BackupContent {
  /** The origin; a file that was copied by other means does not name it. */
  origin?: BackupOrigin | undefined;
  rows: number;
  bytes: number;
  /** Whether keys or secrets are in it in clear text, or may be left from when they were. */
  hasClearText: boolean;
}

/**
 * Copies a store into a new file, while servers read and write it: the copy is the state at one
 * moment. The file gets its name when it is complete, and never replaces another one.
 */
export async function backUp(
  path: string,
  file: string,
  origin: BackupOrigin,
): Promise<BackupContent> {
  checkPresent(path);
  checkAbsent(file);
  // Read only, SQLite would leave the files of its log behind.
  readDatabase(path, (database) => checkOurs(database, path), { readOnly: false });
  const partial = `${file}.partial`;
  try {
    await copyDatabase(path, partial);
    writeOrigin(partial, origin);
    // What is wrong with the copy is wrong with the store.
    const content = inspectBackup(partial, path);
    checkAbsent(file);
    renameSync(partial, file);
    // So that a power cut loses nothing.
    syncFolder(file);
    return content;
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Checks that a file can be restored, and describes it. Throws an error for the operator, with the
 * name that the operator knows.
 */
export function inspectBackup(file: string, name: string = file): BackupContent {
  checkPresent(file);
  return readDatabase(file, (database) => {
    checkOurs(database, name);
    const [check] = database.prepare("PRAGMA quick_check(1)").all();
    if (String(check?.quick_check) !== "ok") throw damaged(name);
    const counted = database.prepare("SELECT count(*) AS count FROM rows").get();
    return {
      origin: readOrigin(database),
      rows: Number(counted?.count),
      bytes: statSync(file).size,
      hasClearText: database.prepare(clearTexts).all().length > 0,
    };
  }, { name });
}

/** Copies a database at one moment into a new file that only this user can read. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  rmSync(to, { force: true });
  // It will contain keys.
  closeSync(openSync(to, "wx", 0o600));
  const database = openDatabase(from);
  try {
    // Node has had `backup` since 22.16. Deno permits `VACUUM INTO` only to a program that may do
    // all. In one step: after several, a write of a server in between would start the copy again.
    if ("backup" in sqlite) await sqlite.backup(database, to, { rate: allPages });
    else database.prepare("VACUUM INTO ?").run(to);
  } finally {
    database.close();
  }
  // Without a write-ahead log, it is one file, and can be read where nothing can be written.
  const copy = new sqlite.DatabaseSync(to);
  copy.exec("PRAGMA journal_mode = DELETE");
  copy.close();
  // So that a power cut loses nothing.
  syncFile(to);
}

/** Opens a database whose statements wait until no other process has locked it. */
function openDatabase(path: string, options: sqlite.DatabaseSyncOptions = {}): sqlite.DatabaseSync {
  const database = new sqlite.DatabaseSync(path, options);
  // Without it, Node and Bun do not wait.
  database.exec("PRAGMA busy_timeout = 5000");
  return database;
}

/** Waits until a file is on disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    // So that a power cut loses nothing.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until the name of a file is on disk, where the system lets us. */
export function syncFolder(path: string): void {
  try {
    const descriptor = openSync(dirname(path), "r");
    // So that a power cut loses nothing.
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch {
    // Windows opens no folders, and some file systems cannot sync them.
  }
}

function readDatabase<T>(
  path: string,
  read: (database: sqlite.DatabaseSync) => T,
  { readOnly = true, name = path }: { readOnly?: boolean; name?: string } = {},
): T {
  const database = openDatabase(path, { readOnly });
  try {
    return read(database);
  } catch (cause) {
    const message = messageOf(cause);
    if (/file is not a database/.test(message)) {
      throw new Error(`${name} is not a SQLite database.`);
    }
    throw /disk image is malformed/.test(message) ? damaged(name) : cause;
  } finally {
    database.close();
  }
}

function checkOurs(database: sqlite.DatabaseSync, name: string): void {
  if (!isOurs(database) && !isOfEarlierForm(database)) {
    throw new Error(`${name} is not a store of Hallpass.`);
  }
  readVersion(database, `The tables of ${name}`);
}

function checkPresent(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`${path} does not exist.`);
  if (!found.isFile()) throw new Error(`${path} is not a file.`);
  if (found.size === 0) throw new Error(`${path} is empty.`);
}

function checkAbsent(file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
}

/** The table is for us alone; a restored store has none. */
function writeOrigin(file: string, { issuer, madeAt }: BackupOrigin): void {
  const database = new sqlite.DatabaseSync(file);
  database.exec("CREATE TABLE backup (issuer TEXT NOT NULL, made_at TEXT NOT NULL) STRICT");
  database.prepare("INSERT INTO backup VALUES (?, ?)").run(issuer, madeAt);
  database.close();
}

function readOrigin(database: sqlite.DatabaseSync): BackupOrigin | undefined {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'backup'").all();
  if (tables.length === 0) return undefined;
  const row = database.prepare("SELECT issuer, made_at FROM backup").get();
  return row && { issuer: String(row.issuer), madeAt: String(row.made_at) };
}

function damaged(file: string): Error {
  return new Error(
    `${file} is damaged, or was cut off when it was copied. Restore another backup.`,
  );
}

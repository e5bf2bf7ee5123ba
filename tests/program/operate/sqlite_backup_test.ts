import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { spawn } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { backUp, inspectBackup } from "../../../src/program/operate/sqlite_backup.ts";
import { prepareRestore, replaceStore } from "../../../src/program/operate/sqlite_restore.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { openFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import { commandFor } from "../../support/program.ts";
import { runSql, withStore } from "../../support/sqlite_file.ts";

const origin = { issuer: "https://id.example", madeAt: "2026-11-21T08:00:00.000Z" };
const expiresAt = 8e15;
const rowsTable = "CREATE TABLE rows (kind, id, value, expires_at, used_at)";
const noProc = process.platform !== "linux" && "only Linux tells who has a deleted file open";
const notRoot = process.getuid?.() !== 0 && "only root can give files away";

interface Files {
  folder: string;
  /** The path of the store. */
  path: string;
  /** The path of the backup. */
  file: string;
}

async function openPaths(): Promise<Files & AsyncDisposable> {
  const opened = await openFolder();
  const { folder } = opened;
  return { ...opened, path: join(folder, "store.db"), file: join(folder, "backup.db") };
}

const it = itWith({ inFiles: openPaths, afterBackup });

/** Makes a store with one row. */
async function fill(path: string, value: unknown = 1): Promise<void> {
  await withStore(path, (store) => store.put("a", "1", { value, expiresAt }));
}

/** Makes a store and its backup, whose row has the value "old". */
async function afterBackup(): Promise<Files & AsyncDisposable> {
  const files = await openPaths();
  await fill(files.path, "old");
  await backUp(files.path, files.file, origin);
  return files;
}

async function valueIn(path: string): Promise<unknown> {
  return await withStore(path, async (store) => (await store.get("a", "1"))?.value);
}

/** Returns the files that this process has open, on Linux. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The descriptor of the listing itself is closed already.
      return "";
    }
  });
}

/** Has another process lock a file for a moment, and returns once it has. */
async function lockForAMoment(path: string): Promise<{ ended: Promise<unknown> }> {
  const [program = "", ...args] = commandFor("tests/program/operate/lock_child.ts");
  const child = spawn(program, [...args, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", reject);
    child.stdout.once("data", resolve);
  });
  return { ended };
}

async function restore({ path, file }: Files): Promise<boolean> {
  inspectBackup(file);
  return replaceStore(await prepareRestore(file, path), path, `${path}.old`);
}

describe("A backup of a SQLite store", () => {
  it("is complete, names its origin, and is for this user alone", async () => {
    await using files = await openPaths();
    const { path, file } = files;
    await fill(path);
    const content = await backUp(path, file, origin);
    assertEquals(content, { origin, rows: 1, bytes: statSync(file).size, hasClearText: false });
    assertEquals(inspectBackup(file), content);
    assertEquals(statSync(file).mode & 0o777, 0o600);
  });

  it.inFiles("is the state at one moment, while a server writes", async ({ folder, path }) => {
    await withStore(path, async (store) => {
      // Two rows that always change together: a backup must never see one without the other.
      const write = (value: number) =>
        Promise.all(["1", "2"].map((id) => store.put("a", id, { value, expiresAt })));
      await write(0);
      for (let round = 1; round <= 10; round++) {
        const writing = write(round);
        const file = join(folder, `${round}.db`);
        await backUp(path, file, origin);
        await writing;
        const database = new DatabaseSync(file, { readOnly: true });
        const values = database.prepare("SELECT DISTINCT value FROM rows").all();
        database.close();
        assertEquals(values.length, 1, `round ${round}`);
      }
    });
  });

  it(
    "leaves no file open",
    { skip: existsSync("/proc/self/fd") ? false : "no /proc" },
    async () => {
      await using files = await afterBackup();
      const { folder, file } = files;
      inspectBackup(file);
      assertEquals(openFiles().filter((open) => open.startsWith(folder)), []);
    },
  );

  it.inFiles("contains what is still in the write-ahead log", async ({ path, file }) => {
    await withStore(path, async (store) => {
      await store.put("a", "1", { value: "in the log", expiresAt });
      assert(statSync(`${path}-wal`).size > 0);
      await backUp(path, file, origin);
    });
    assertEquals(await valueIn(file), "in the log");
  });

  it("is one file, which can be read where nothing can be written", async () => {
    await using files = await afterBackup();
    const { folder, path, file } = files;
    // The header of a file says whether it has a write-ahead log, which is 2.
    const modeOf = (database: string) => [...readFileSync(database).subarray(18, 20)];
    assertEquals([modeOf(path), modeOf(file)], [[2, 2], [1, 1]]);
    assertEquals(readdirSync(folder).toSorted(), ["backup.db", "store.db"]);
  });

  it("waits while another process locks the store or the backup", async () => {
    await using files = await openPaths();
    const { path, file } = files;
    await fill(path);
    const store = await lockForAMoment(path);
    await backUp(path, file, origin);
    const backup = await lockForAMoment(file);
    assertEquals(inspectBackup(file).rows, 1);
    await Promise.all([store.ended, backup.ended]);
  });

  it.inFiles("takes the place of one that was cut off", async ({ folder, path, file }) => {
    await fill(path);
    writeFileSync(`${file}.partial`, "half");
    await backUp(path, file, origin);
    assertEquals(readdirSync(folder).toSorted(), ["backup.db", "store.db"]);
  });

  it.inFiles("has no origin if it was made by other means", async ({ path }) => {
    await fill(path);
    assertEquals(inspectBackup(path).origin, undefined);
  });

  const refusals: Array<[what: string, prepare: (files: Files) => unknown, message: RegExp]> = [
    ["a store that does not exist", () => {}, /store\.db does not exist\.$/],
    ["an empty file", ({ path }) => writeFileSync(path, ""), /store\.db is empty\.$/],
    [
      "another database [V5]",
      ({ path }) => runSql(path, "CREATE TABLE backup (b)"),
      /store\.db is not a store of Hallpass\.$/,
    ],
    [
      "a text [V5]",
      ({ path }) => writeFileSync(path, "x".repeat(5000)),
      /store\.db is not a SQLite database\.$/,
    ],
    [
      "tables of an earlier form [V5]",
      ({ path }) => runSql(path, rowsTable),
      /^The tables of \S+store\.db have a form that this version does not read\. Use the version/,
    ],
    ["a store with a damaged page [V5]", async ({ path }) => {
      await fill(path, "x".repeat(50_000));
      const bytes = readFileSync(path);
      bytes.fill(0xff, bytes.length - 4096 * 8, bytes.length - 4096 * 2);
      writeFileSync(path, bytes);
    }, /store\.db is damaged, or was cut off when it was copied\. Restore another backup\.$/],
    ["a target in no folder", async (files) => {
      await fill(files.path);
      files.file = join(files.folder, "missing", "backup.db");
    }, /ENOENT/],
  ];
  for (const [what, prepare, message] of refusals) {
    it.inFiles(`is not made of ${what}, and leaves no file`, async (files) => {
      await prepare(files);
      const before = readdirSync(files.folder);
      const error = await assertRejects(() => backUp(files.path, files.file, origin), Error);
      assertMatch(error.message, message);
      assertEquals(readdirSync(files.folder), before);
    });
  }

  it.inFiles("never replaces a file", async ({ path, file }) => {
    await fill(path);
    for (const name of [file, `${file}.partial`]) writeFileSync(name, "precious");
    const { message } = await assertRejects(() => backUp(path, file, origin), Error);
    assertMatch(message, /backup\.db exists already\.$/);
    for (const name of [file, `${file}.partial`]) {
      assertEquals(readFileSync(name, "utf8"), "precious");
    }
  });

  it.inFiles("never replaces a file that appeared meanwhile", async ({ path, file }) => {
    await fill(path);
    const made = backUp(path, file, origin);
    writeFileSync(file, "precious");
    const { message } = await assertRejects(() => made, Error);
    assertMatch(message, /backup\.db exists already\.$/);
    assertEquals(readFileSync(file, "utf8"), "precious");
  });
});

describe("Restoring a backup", () => {
  it.afterBackup("brings the store back on an empty machine", async (files) => {
    const elsewhere = join(files.folder, "elsewhere.db");
    assertEquals(await restore({ ...files, path: elsewhere }), false);
    assertEquals(existsSync(`${elsewhere}.old`), false);
    assertEquals(await valueIn(elsewhere), "old");
    assertEquals(statSync(elsewhere).mode & 0o777, 0o600);
  });

  it.afterBackup("keeps the store that was there, with its write-ahead log", async (files) => {
    const { path } = files;
    await fill(path, "new");
    assertEquals(await restore(files), true);
    assertEquals([await valueIn(path), await valueIn(`${path}.old`)], ["old", "new"]);
  });

  it.afterBackup("does not add the log of another store to it", async (files) => {
    const { path } = files;
    // As after a crash: the log was not merged. Then the database itself was lost.
    const crashed = sqliteStore(path);
    await crashed.put("a", "1", { value: "new", expiresAt });
    copyFileSync(`${path}-wal`, `${path}.wal`);
    await crashed.close();
    copyFileSync(`${path}.wal`, `${path}-wal`);
    rmSync(path);
    await restore(files);
    assertEquals(await valueIn(path), "old");
    assert(existsSync(`${path}.old-wal`));
  });

  it.afterBackup("leaves the backup as it was, and nothing else behind", async (files) => {
    const { folder, file } = files;
    const before = readFileSync(file);
    await restore(files);
    assertEquals(readFileSync(file), before);
    assertEquals(readdirSync(folder).toSorted(), ["backup.db", "store.db", "store.db.old"]);
  });

  it.afterBackup("is refused while a server has the store open, and changes nothing", async ({ folder, path, file }) => {
    await withStore(path, async (server) => {
      await server.put("a", "1", { value: "new", expiresAt });
      const prepared = await prepareRestore(file, path);
      const { message } = assertThrows(() => replaceStore(prepared, path, `${path}.old`), Error);
      assertMatch(message, /^A server uses .*store\.db\. Stop every server/);
      prepared.discard();
      assertEquals((await server.get("a", "1"))?.value, "new");
    });
    assertEquals([await valueIn(path), readdirSync(folder)], ["new", ["backup.db", "store.db"]]);
  });

  it(
    "is refused while a server goes on with a file that was deleted",
    { skip: noProc },
    async () => {
      await using files = await afterBackup();
      const { folder, path, file } = files;
      await withStore(path, async () => {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix);
        const prepared = await prepareRestore(file, path);
        const attempt = () => replaceStore(prepared, path, `${path}.old`);
        const { message } = assertThrows(attempt, Error);
        assertMatch(message, /^A server uses .*store\.db\. Stop every server/);
        prepared.discard();
      });
      assertEquals(readdirSync(folder), ["backup.db"]);
      assertEquals(await restore(files), false);
    },
  );

  it("leaves the store to its owner, or to that of the folder", { skip: notRoot }, async () => {
    await using files = await afterBackup();
    const { folder, path } = files;
    chownSync(path, 65_533, 65_532);
    await restore(files);
    assertEquals([statSync(path).uid, statSync(path).gid], [65_533, 65_532]);
    chownSync(folder, 65_531, 65_530);
    rmSync(path);
    await restore(files);
    assertEquals([statSync(path).uid, statSync(path).gid], [65_531, 65_530]);
  });

  it.afterBackup("replaces a damaged store, and a half-finished restore", async (files) => {
    const { folder, path } = files;
    writeFileSync(path, "damaged".repeat(1000));
    for (const suffix of ["", "-wal", "-shm"]) {
      writeFileSync(`${path}.restoring${suffix}`, "half");
    }
    assertEquals(await restore(files), true);
    assertEquals(await valueIn(path), "old");
    assertEquals(readdirSync(folder).filter((name) => name.includes("restoring")), []);
  });

  it.inFiles("leaves nothing behind if it fails", async ({ folder, path, file }) => {
    writeFileSync(file, "x".repeat(5000));
    await assertRejects(() => prepareRestore(file, path), Error);
    assertEquals(readdirSync(folder), ["backup.db"]);
  });

  /** What marks a file as a store of Hallpass. */
  const ours = "PRAGMA application_id = 0x48414c4c";

  const foreign: Record<string, [make: (file: string) => void, message: RegExp]> = {
    "a missing file": [() => {}, /backup\.db does not exist\.$/],
    "a folder": [(file) => mkdirSync(file), /backup\.db is not a file\.$/],
    "an empty file": [(file) => writeFileSync(file, ""), /backup\.db is empty\.$/],
    "a text": [(file) => writeFileSync(file, "x".repeat(5000)), /not a SQLite database\.$/],
    "another database": [
      (file) => runSql(file, "CREATE TABLE a (b)"),
      /not a store of Hallpass\.$/,
    ],
    "other rows": [
      (file) => runSql(file, "CREATE TABLE rows (kind, id, value)"),
      /not a store of Hallpass\.$/,
    ],
    "V2: tables of an earlier form": [
      (file) => runSql(file, rowsTable),
      /^The tables of .*backup\.db have a form that this version does not read\. Use the version/,
    ],
    "a newer version": [
      (file) => runSql(file, `CREATE TABLE rows (a); ${ours}; PRAGMA user_version = 99`),
      /^The tables of .*backup\.db have version 99, and this program knows version \d+\. Use/,
    ],
  };
  for (const [what, [make, message]] of Object.entries(foreign)) {
    it.inFiles(`is refused for ${what}`, async ({ file }) => {
      make(file);
      assertMatch(assertThrows(() => inspectBackup(file), Error).message, message);
    });
  }

  it.inFiles("looks at a file without changing it", async ({ path, file }) => {
    // As after a crash: the log was not merged.
    await withStore(path, async (store) => {
      await store.put("a", "1", { value: 1, expiresAt });
      for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, file + suffix);
    });
    const content = () => ["", "-wal"].map((suffix) => readFileSync(file + suffix));
    const before = content();
    assertEquals(inspectBackup(file).rows, 1);
    assertEquals(content(), before);
  });

  it.inFiles("is refused for a file that is cut off or damaged", async ({ folder, path }) => {
    await withStore(path, async (store) => {
      const value = "x".repeat(3000);
      const put = (_: unknown, id: number) => store.put("a", `${id}`, { value, expiresAt });
      await Promise.all(Array.from({ length: 50 }, put));
    });
    const damages: Array<(file: string, size: number) => void> = [
      (file, size) => truncateSync(file, size - 4096 * 8),
      (file, size) => {
        const bytes = readFileSync(file);
        bytes.fill(0xff, size / 2, size / 2 + 4096);
        writeFileSync(file, bytes);
      },
    ];
    for (const [at, damage] of damages.entries()) {
      const file = join(folder, `${at}.db`);
      await backUp(path, file, origin);
      damage(file, statSync(file).size);
      const { message } = assertThrows(() => inspectBackup(file), Error);
      assertMatch(message, /\d\.db is damaged, or was cut off when it was copied\./);
    }
  });
});

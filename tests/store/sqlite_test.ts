import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { promisify } from "node:util";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import { UnreadableStoreError } from "../../src/server/store/store_errors.ts";
import { itWith } from "../support/it_with.ts";
import { commandFor } from "../support/program.ts";
import { openStoreFile, runSql, withStore } from "../support/sqlite_file.ts";

const onWindows = process.platform === "win32" && "Windows has other permissions";

/** What would be a statement, or a pattern, if it was not bound. */
const injections = [
  "'; DROP TABLE rows; --",
  "' OR 1=1 --",
  "' UNION SELECT * FROM rows --",
  '"; DELETE FROM rows; --',
  "%",
  "_",
  "k%",
  "*",
  "[a-z]",
  "\\",
  "?",
  ":id",
  "$1",
  "é\u{10ffff}",
];

async function openStore() {
  const { path, [Symbol.asyncDispose]: removeFolder } = await openStoreFile();
  const store = sqliteStore(path);
  const close = async () => {
    await store.close();
    await removeFolder();
  };
  return { path, store, [Symbol.asyncDispose]: close };
}

/** Reads all pages of a file but the first one, which has the version. */
function readPages(path: string): Uint8Array {
  return readFileSync(path).subarray(4096);
}

const it = itWith({ inFile: openStoreFile, withStore: openStore });

describe("The SQLite store", () => {
  it.inFile("keeps all rows for the next process", async ({ path }) => {
    const first = sqliteStore(path);
    await first.put("a", "1", { value: "kept", expiresAt: 1000 });
    await first.consume("a", "1", 5, 2000);
    await first.close();
    const second = sqliteStore(path);
    assertEquals(await second.get("a", "1"), { value: "kept", expiresAt: 2000, usedAt: 5 });
    await second.close();
  });

  it.withStore("GHSA-r9w3-57w2-gch2 GO-2026-4807: takes any text as a kind and an id, and runs none", async ({ store }) => {
    await store.put("client", "kept", { value: 1, expiresAt: 1000 });
    for (const text of injections) {
      await store.put(text, `${text}-1`, { value: text, expiresAt: 1000 });
      assertEquals((await store.list(text, { after: text })).map(([id]) => id), [`${text}-1`]);
      assertEquals(await store.list("client", { after: `kept${text}` }), []);
      await store.delete(text, `${text}-1`);
      assertEquals(await store.list(text), []);
    }
    assertEquals(await store.get("client", "kept"), { value: 1, expiresAt: 1000 });
  });

  it.inFile("keeps the rows of a file of the first version", async ({ path }) => {
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE rows (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
      expires_at REAL NOT NULL, used_at REAL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID`);
    database.exec("CREATE INDEX rows_by_expiry ON rows (expires_at)");
    database.exec(
      "INSERT INTO rows VALUES ('a', '1', '\"one\"', 2000, 7), ('a', '2', '2', 1000, NULL)",
    );
    database.exec("PRAGMA application_id = 0x48414c4c; PRAGMA user_version = 1");
    database.close();
    let upgrades = 0;
    const listener = { onUpgrade: () => void upgrades++ };
    const store = sqliteStore(path, listener);
    assertEquals(upgrades, 1);
    assertEquals(await store.list("a"), [
      ["1", { value: "one", expiresAt: 2000, usedAt: 7 }],
      ["2", { value: 2, expiresAt: 1000 }],
    ]);
    assertEquals(await store.add("a", "2", { value: 3, expiresAt: 3000 }), false);
    assertEquals(await store.sweep(1500), 1);
    await store.close();
    await sqliteStore(path, listener).close();
    await sqliteStore(`${path}-new`, listener).close();
    assertEquals(upgrades, 1);
  });

  it.inFile("marks a file of the version before as its own, which earlier commands refuse, and writes no row anew", async ({ path }) => {
    await withStore(path, (store) => store.put("user", "ada", { value: 1, expiresAt: 9 }));
    runSql(path, "PRAGMA user_version = 3");
    const before = readPages(path);
    let upgrades = 0;
    const store = sqliteStore(path, { onUpgrade: () => void upgrades++ });
    assertEquals([upgrades, store.warnings], [0, []]);
    assertEquals(await store.list("user"), [["ada", { value: 1, expiresAt: 9 }]]);
    await store.close();
    const database = new DatabaseSync(path);
    assertEquals(database.prepare("PRAGMA user_version").get()?.user_version, 4);
    database.close();
    assertEquals(readPages(path), before);
  });

  it.inFile("refuses a file of a newer version, and writes nothing to it", async ({ path }) => {
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE future (id TEXT); PRAGMA application_id = 0x48414c4c");
    database.exec("PRAGMA user_version = 99");
    database.close();
    const before = readFileSync(path);
    const { message } = assertThrows(() => sqliteStore(path), Error);
    assertEquals(
      message,
      "its tables have version 99, and this program knows version 4. Use the version of " +
        "Hallpass that wrote them.",
    );
    assertEquals(readFileSync(path), before);
  });

  const foreign: Array<[what: string, statements: string]> = [
    ["another application", "CREATE TABLE sessions (id TEXT)"],
    ["another application that has no table yet", "PRAGMA application_id = 7"],
    ["another application with a table of the same name", "CREATE TABLE rows (value TEXT)"],
    [
      "another application with a column of the same name",
      "CREATE TABLE rows (kind TEXT); PRAGMA user_version = 1",
    ],
  ];
  for (const [what, statements] of foreign) {
    it.inFile(`Y4: refuses a file of ${what}, and writes nothing to it`, async ({ path }) => {
      const database = new DatabaseSync(path);
      database.exec(statements);
      database.close();
      const before = readFileSync(path);
      const { message } = assertThrows(() => sqliteStore(path), Error);
      assertMatch(
        message,
        /^it is a database of another application, or in a form .* Name a file that does not/,
      );
      assertEquals(readFileSync(path), before);
    });
  }

  for (const version of [0, 1]) {
    it.inFile(`V2: names the way out of an earlier form with version ${version}, and writes nothing to it`, async ({ path }) => {
      const database = new DatabaseSync(path);
      database.exec(
        "CREATE TABLE rows (kind TEXT, id TEXT, value TEXT, expires_at REAL, used_at REAL)",
      );
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
      const before = readFileSync(path);
      const { message } = assertThrows(() => sqliteStore(path), Error);
      assertEquals(
        message,
        "its tables have a form that this version does not read. Use the version of Hallpass that " +
          "wrote them.",
      );
      assertEquals(readFileSync(path), before);
    });
  }

  it.inFile("Y3: is not in order once a call has met a damaged page", async ({ path }) => {
    const store = sqliteStore(path);
    const ids = Array.from({ length: 2000 }, (_, n) => String(n).padStart(4, "0"));
    await Promise.all(ids.map((id) => store.put("a", id, { value: id, expiresAt: 1 })));
    await store.close();
    const bytes = readFileSync(path);
    const page = Math.floor(bytes.indexOf('"1000"') / 4096) * 4096;
    bytes.fill(0xa5, page, page + 4096);
    await writeFile(path, bytes);
    const damaged = sqliteStore(path);
    await damaged.check?.();
    await damaged.put("probe", "1", { value: null, expiresAt: 1 });
    const calls = await Promise.allSettled(ids.map((id) => damaged.get("a", id)));
    assert(calls.some(({ status }) => status === "rejected"));
    await damaged.put("probe", "1", { value: null, expiresAt: 1 });
    await assertRejects(async () => await damaged.check?.(), Error, "is damaged. Stop the");
    await assertRejects(async () => await damaged.check?.(), Error, "is damaged. Stop the");
    await damaged.close();
  });

  it.withStore("V3: names a damaged row, and reads the others", async ({ path, store }) => {
    for (const id of ["app", "web"]) await store.put("client", id, { value: id, expiresAt: 1 });
    runSql(path, "UPDATE rows SET value = '{\"id\":' WHERE id = 'app'");
    const reads = [
      () => store.get("client", "app"),
      () => store.list("client"),
      async () => await store.batch?.([["get", "client", "web"], ["get", "client", "app"]]),
    ];
    for (const read of reads) {
      const { message } = await assertRejects(read, UnreadableStoreError);
      assertEquals(message, "The row 'client app' in the store is damaged; restore a backup.");
    }
    assertEquals((await store.get("client", "web"))?.value, "web");
  });

  it.inFile("V3: is unreadable, and not only away, where pages were overwritten with zeros", async ({ path }) => {
    const store = sqliteStore(path);
    const ids = Array.from({ length: 2000 }, (_, n) => String(n).padStart(4, "0"));
    await Promise.all(ids.map((id) => store.put("a", id, { value: id, expiresAt: 1 })));
    await store.close();
    const bytes = readFileSync(path);
    await writeFile(path, bytes.fill(0, 4096 * 4, 4096 * 12));
    const damaged = sqliteStore(path);
    const calls = await Promise.allSettled(ids.map((id) => damaged.get("a", id)));
    const failures = calls.flatMap((call) => call.status === "rejected" ? [call.reason] : []);
    assert(failures.length > 0);
    assert(failures.every((each) => each instanceof UnreadableStoreError), `${failures[0]}`);
    await damaged.close();
  });

  it.inFile("Y6: is as small as its rows after VACUUM, which leaves its mark", async ({ path }) => {
    const store = sqliteStore(path);
    const value = "x".repeat(1000);
    const rows = Array.from({ length: 1000 }, (_, n) => ({ value, expiresAt: n % 4 ? 1 : 9 }));
    await Promise.all(rows.map((row, n) => store.put("client", `${n}`, row)));
    while (await store.sweep(5) > 0);
    await store.close();
    const before = statSync(path).size;
    const database = new DatabaseSync(path);
    database.exec("VACUUM");
    database.close();
    assert(statSync(path).size < before / 2, `${before} became ${statSync(path).size}`);
    const after = sqliteStore(path);
    assertEquals((await after.list("client", { limit: 1000 })).length, 250);
    await after.close();
  });

  it.inFile("lets exactly one of four processes win each row", async ({ path }) => {
    const rows = 50;
    const store = sqliteStore(path);
    for (let n = 0; n < rows; n++) {
      await store.put("code", `${n}`, { value: null, expiresAt: 8.64e15 });
    }
    const [program = "", ...args] = commandFor("tests/store/consume_child.ts");
    const run = () => promisify(execFile)(program, [...args, path, `${rows}`]);
    const outputs = await Promise.all([run(), run(), run(), run()]);
    const won = outputs.map(({ stdout }) =>
      JSON.parse(`${stdout}`) as { consumed: string[]; added: string[] }
    );
    for (const what of ["consumed", "added"] as const) {
      const ids = won.flatMap((each) => each[what]);
      assertEquals([ids.length, new Set(ids).size], [rows, rows]);
    }
    await store.close();
  });

  it.inFile("finds, lists and sweeps by an index, however many rows exist", async ({ path }) => {
    await sqliteStore(path).close();
    const database = new DatabaseSync(path);
    const plan = (sql: string) =>
      database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all().map((step) => String(step.detail)).join(
        "; ",
      );
    assertMatch(
      plan("SELECT value FROM rows WHERE kind = 'a' AND id = 'b'"),
      /^SEARCH rows USING INDEX sqlite_autoindex_rows_1 \(kind=\? AND id=\?\)$/,
    );
    assertMatch(
      plan("SELECT id, value FROM rows WHERE kind = 'a' AND id > 'b' ORDER BY id LIMIT 5"),
      /^SEARCH rows USING INDEX sqlite_autoindex_rows_1 \(kind=\? AND id>\?\)$/,
    );
    const sweep = plan(
      "DELETE FROM rows WHERE rowid IN (SELECT rowid FROM rows WHERE expires_at < 5 ORDER BY expires_at LIMIT 9)",
    );
    assert(!/SCAN rows/.test(sweep) && /rows_by_expiry/.test(sweep), sweep);
    database.close();
  });

  const losses: Array<[what: string, lose: (path: string) => Promise<void>, why: RegExp]> = [
    ["was deleted", (path) => rm(path), /^\S+store\.db was deleted while this server uses it/],
    ["was replaced", async (path) => {
      await rename(path, `${path}.old`);
      await writeFile(path, "");
    }, /^\S+store\.db was replaced while/],
  ];
  for (const [what, lose, why] of losses) {
    it.withStore(`finds out that its file ${what}`, async ({ path, store }) => {
      await store.check?.();
      await lose(path);
      const { message } = await assertRejects(async () => await store.check?.(), Error);
      assertMatch(message, why);
    });
  }

  it("has no file to lose in memory", async () => {
    const store = sqliteStore(":memory:");
    await store.check?.();
    assertEquals(Object.hasOwn(store, "warnings"), false);
    await store.close();
  });

  it("warns of a file that every user can read", { skip: onWindows }, async () => {
    await using file = await openStoreFile();
    for (const [mode, expected] of [[0o644, 1], [0o640, 0], [0o600, 0]] as const) {
      await writeFile(file.path, "");
      await chmod(file.path, mode);
      const { warnings, close } = sqliteStore(file.path);
      await close();
      assertEquals(warnings?.length, expected, mode.toString(8));
      if (expected) assertMatch(String(warnings), /contains keys: chmod 600 /);
    }
  });

  it.withStore("makes its file unreadable for other users", async ({ path, store }) => {
    await store.put("a", "1", { value: 1, expiresAt: 1 });
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      assertEquals(statSync(file).mode & 0o777, 0o600, file);
    }
  });

  it.inFile("returns the space of swept rows to the file system", async ({ path }) => {
    const store = sqliteStore(path);
    const row = { value: "x".repeat(4000), expiresAt: 1 };
    await Promise.all(Array.from({ length: 200 }, (_, n) => store.put("a", `${n}`, row)));
    while (await store.sweep(2, 20) > 0);
    await store.close();
    assert(statSync(path).size < 100_000, `${statSync(path).size} bytes are left`);
  });

  it.withStore("truncates its log after a long reader let it grow", async ({ path, store }) => {
    const reader = new DatabaseSync(path);
    reader.exec("BEGIN; SELECT count(*) FROM rows");
    const value = "x".repeat(1_000_000);
    for (let n = 0; n < 80; n++) await store.put("a", `${n}`, { value, expiresAt: 1 });
    const grown = statSync(`${path}-wal`).size;
    reader.exec("COMMIT");
    for (let n = 0; n < 3; n++) await store.put("b", `${n}`, { value, expiresAt: 1 });
    assert(statSync(`${path}-wal`).size < grown, `the log still has ${grown} bytes`);
    reader.close();
  });

  it.withStore("does not fail a write because of another one in its commit", async ({ store }) => {
    const put = (id: string, value: unknown) => store.put("a", id, { value, expiresAt: 1 });
    const writes = await Promise.allSettled([put("1", 1), put("2", BigInt(1)), put("3", 3)]);
    assertEquals(writes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    await put("4", 4);
    assertEquals((await store.list("a")).map(([id]) => id), ["1", "3", "4"]);
  });

  it.withStore("waits for another process without blocking this one", async ({ path, store }) => {
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const write = store.put("a", "1", { value: 1, expiresAt: 1 });
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    other.exec("COMMIT");
    await write;
    assertEquals((await store.get("a", "1"))?.value, 1);
    other.close();
  });

  it.inFile("finishes its writes before it closes", async ({ path }) => {
    const store = sqliteStore(path);
    const writes = ["1", "2"].map((id) => store.put("a", id, { value: id, expiresAt: 1 }));
    await store.close();
    await Promise.all(writes);
  });

  it.withStore("rejects every write that fails", async ({ path, store }) => {
    const other = new DatabaseSync(path);
    other.exec("DROP TABLE rows");
    const writes = await Promise.allSettled([
      store.put("a", "1", { value: 1, expiresAt: 1 }),
      store.add("a", "2", { value: 1, expiresAt: 1 }),
    ]);
    assertEquals(writes.map(({ status }) => status), ["rejected", "rejected"]);
    other.close();
  });

  it.withStore("commits simultaneous writes together, and others one by one", async ({ store }) => {
    const order: string[] = [];
    await Promise.all(["a", "b", "c"].map(async (id) => {
      await store.put("k", id, { value: id, expiresAt: 1 });
      order.push(id);
    }));
    assertEquals([order, (await store.list("k")).length], [["a", "b", "c"], 3]);
  });
});

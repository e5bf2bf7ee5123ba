import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import { postgresStore } from "../../src/server/store/postgres.ts";
import { parsePostgresUrl } from "../../src/server/store/postgres/address.ts";
import { loadPostgresDriver } from "../../src/server/store/postgres/driver.ts";
import { ForeignResultError } from "../../src/server/store/postgres/own_result.ts";
import {
  codeOf,
  createPool,
  optionsFor,
  type PostgresPool,
} from "../../src/server/store/postgres/pool.ts";
import { createRowStore } from "../../src/server/store/postgres/row_store.ts";
import { UnreadableStoreError } from "../../src/server/store/store_errors.ts";
import { withTimeout } from "../../src/server/util/time/promises.ts";
import { eventually } from "../support/eventually.ts";
import { inFolder } from "../support/folder.ts";
import { postgresMissing, runPostgresProgram, startPostgres } from "../support/postgres_server.ts";
import { present } from "../support/present.ts";
import { callWhile } from "../support/store_load.ts";

const skip = postgresMissing;

// Outside of the tests, which share them. They end with this process.
const server = skip ? undefined : await startPostgres("fsync=off");
const mortal = skip ? undefined : await startPostgres();
const url = server?.url ?? "";
const sql = (text: string) => server?.sql(text) ?? Promise.resolve([]);

const year = 365 * 24 * 60 * 60 * 1000;

let lastSchema = 0;

/** Opens an empty store. */
async function openEmpty() {
  return await postgresStore(await emptySchema());
}

/** Returns the URL of a schema without tables. */
async function emptySchema(): Promise<string> {
  const schema = `test_${lastSchema++}`;
  await sql(`CREATE SCHEMA ${schema}`);
  return `${url}?schema=${schema}`;
}

describe("The PostgreSQL store", () => {
  it("is created by ten servers at once", { skip }, async () => {
    const schema = await emptySchema();
    const stores = await Promise.all(Array.from({ length: 10 }, () => postgresStore(schema)));
    const added = stores.map((store) => store.add("a", "1", { value: 1, expiresAt: year }));
    assertEquals((await Promise.all(added)).filter((isFirst) => isFirst).length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("gives a row to one of two hundred that consume it at once", { skip }, async () => {
    const schema = await emptySchema();
    const stores = [await postgresStore(schema), await postgresStore(schema)];
    await stores[0]?.put("code", "1", { value: 1, expiresAt: year });
    const consumed = Array.from(
      { length: 100 },
      () => stores.map((store) => store.consume("code", "1", 5, year)),
    );
    assertEquals((await Promise.all(consumed.flat())).filter((isFirst) => isFirst).length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("tries again where every transaction is serializable", { skip }, async () => {
    const schema = `test_${lastSchema}`;
    await emptySchema();
    await sql(`CREATE ROLE strict LOGIN; GRANT ALL ON SCHEMA ${schema} TO strict`);
    await sql("ALTER ROLE strict SET default_transaction_isolation TO serializable");
    const store = await postgresStore(`${url.replace("owner", "strict")}?schema=${schema}`);
    for (let n = 0; n < 20; n++) {
      await store.put("code", `${n}`, { value: 1, expiresAt: year });
      const consumed = Array.from({ length: 9 }, () => store.consume("code", `${n}`, 5, year));
      assertEquals((await Promise.all(consumed)).filter((isFirst) => isFirst).length, 1);
    }
    await store.close();
  });

  it("V3: names a damaged row, and reads the others", { skip }, async () => {
    const schema = `test_${lastSchema}`;
    const store = await openEmpty();
    for (const id of ["app", "web"]) await store.put("a", id, { value: id, expiresAt: year });
    await sql(`UPDATE ${schema}.hallpass_rows SET value = '{"id":' WHERE id = 'app'`);
    const reads = [
      () => store.get("a", "app"),
      () => store.list("a"),
      async () => await store.batch?.([["get", "a", "web"], ["get", "a", "app"]]),
    ];
    for (const read of reads) {
      const { message } = await assertRejects(read, UnreadableStoreError);
      assertEquals(message, "The row 'a app' in the store is damaged; restore a backup.");
    }
    assertEquals((await store.get("a", "web"))?.value, "web");
    await store.close();
  });

  it("lets two servers sweep at once, and deletes each row once", { skip }, async () => {
    const schema = await emptySchema();
    const stores = [await postgresStore(schema), await postgresStore(schema)];
    const ids = Array.from({ length: 500 }, (_, n) => `${n}`);
    await Promise.all(ids.map((id) => stores[0]?.put("a", id, { value: 1, expiresAt: 1 })));
    const swept = await Promise.all(stores.map((store) => store.sweep(2, 1000)));
    assertEquals(swept.reduce((sum, count) => sum + count, 0), 500);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe("The statements of a PostgreSQL store", () => {
  /** Opens a store that counts its statements. */
  async function openCounted() {
    const url = await emptySchema();
    await (await postgresStore(url)).close();
    const pool = createPool(await loadPostgresDriver(), parsePostgresUrl(url));
    const counted = { statements: 0 };
    const run: PostgresPool["run"] = (statement) => {
      counted.statements++;
      return pool.run(statement);
    };
    const schema = `${new URL(url).searchParams.get("schema")}`;
    return { counted, store: createRowStore({ ...pool, run }, schema) };
  }
  const row = { value: 1, expiresAt: year };
  const ids = ["1", "2", "3", "4"];

  it("make all single reads of a turn at once, all lists, and all writes", { skip }, async () => {
    const { counted, store } = await openCounted();
    assertEquals(await Promise.all(ids.map((id) => store.add("a", id, row))), Array(4).fill(true));
    assertEquals(counted.statements, 1);
    const gets = ids.map((id) => store.get("a", id));
    const lists = ["2", "3"].map((after) => store.list("a", { after }));
    assertEquals(await Promise.all(gets), [row, row, row, row]);
    assertEquals(await Promise.all(lists), [[["3", row], ["4", row]], [["4", row]]]);
    assertEquals(counted.statements, 3);
    await store.close();
  });

  it("change a row once: one for each caller who changes the same", { skip }, async () => {
    const { counted, store } = await openCounted();
    const added = await Promise.all(["1", "1", "2"].map((id) => store.add("a", id, row)));
    assertEquals([added.toSorted(), counted.statements], [[false, true, true], 2]);
    await store.close();
  });

  it("refuse one caller's row without the others'", { skip }, async () => {
    const { store } = await openCounted();
    const refused = { value: 1, expiresAt: null } as unknown as typeof row;
    const rows = [row, refused, row];
    const added = await Promise.allSettled(rows.map((row, n) => store.add("a", `${n}`, row)));
    assertEquals(added.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    assertEquals((await store.list("a")).map(([id]) => id), ["0", "2"]);
    await store.close();
  });

  it("of a batch read what it wrote before: a read begins another one", { skip }, async () => {
    const { counted, store } = await openCounted();
    const results = await store.batch?.([
      ["get", "a", "1"],
      ["add", "a", "1", row],
      ["get", "a", "1"],
      ["consume", "a", "1", 5, year],
      ["add", "a", "2", row],
    ]);
    assertEquals([results, counted.statements], [[undefined, true, row, true, true], 2]);
    await store.close();
  });
});

describe("A PostgreSQL store whose tables change under load", () => {
  /** Changes a type ten times, and takes what was prepared from all connections. */
  async function disturb(schema: string, pool: PostgresPool) {
    for (let n = 0; n < 10; n++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await sql(
        `ALTER TABLE ${schema}.hallpass_rows ALTER COLUMN value TYPE ${n % 2 ? "text" : "varchar"}`,
      );
      await Promise.allSettled(
        Array.from({ length: 20 }, () => pool.run((own) => own.unsafe("DEALLOCATE ALL"))),
      );
    }
  }

  /** Makes the tables of a store. */
  async function openEmptySchema() {
    const url = await emptySchema();
    await (await postgresStore(url)).close();
    const schema = `${new URL(url).searchParams.get("schema")}`;
    return { url, schema };
  }

  it("R0: gives each caller its own result, and fails for nobody", { skip }, async () => {
    const { url, schema } = await openEmptySchema();
    const pool = createPool(await loadPostgresDriver(), parsePostgresUrl(url));
    const store = createRowStore(pool, schema);
    const { rounds, ...result } = await callWhile(store, () => disturb(schema, pool));
    assertEquals(result, { wrong: [], failures: [] });
    assert(rounds > 0);
    await store.close();
  });

  it("R0: refuses foreign results of a client that confuses them", { skip }, async () => {
    const { schema } = await openEmptySchema();
    const driver = await loadPostgresDriver();
    const open = () =>
      driver({
        ...optionsFor(parsePostgresUrl(url), { isPooled: false }),
        max_pipeline: 100,
        // No timers, which the end of the replaced connections would leave for a moment.
        connect_timeout: 0,
        max_lifetime: 0,
      });
    let client = open();
    let isConfused = false;
    const pool: PostgresPool = {
      async run(statement) {
        const used = client;
        try {
          return await withTimeout(5000, statement(used), () => new Error("No result came."));
        } catch (cause) {
          isConfused ||= cause instanceof ForeignResultError;
          if (client === used) {
            client = open();
            used.end({ timeout: 0 }).catch(() => {});
          }
          throw cause;
        }
      },
      close: () => client.end({ timeout: 0 }),
    };
    const store = createRowStore(pool, schema);
    // Calls of one turn share a statement, so it may take a while until two statements are mixed up.
    const disturbOften = async () => {
      for (let n = 0; n < 30 && !isConfused; n++) await disturb(schema, pool);
    };
    const { wrong, failures } = await callWhile(store, disturbOften);
    await store.close();
    // This client loses some of its connections when it closes.
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'hallpass'`);
    assertEquals(wrong, []);
    assert(failures.some((message) => message.includes("the result of another statement")));
  });
});

describe("A PostgreSQL store whose server goes away", () => {
  it("keeps what it acknowledged, fails at once, and recovers by itself", { skip }, async () => {
    const store = await postgresStore(present(mortal).url);
    await store.put("code", "1", { value: "kept", expiresAt: year });
    assert(await store.consume("code", "1", 5, year));
    await mortal?.kill();
    const calls = Array.from({ length: 50 }, () => store.get("code", "1"));
    const outcomes = await Promise.allSettled(calls);
    assertEquals(new Set(outcomes.map(({ status }) => status)), new Set(["rejected"]));
    await mortal?.start();
    assertEquals(await eventually(() => store.get("code", "1")), {
      value: "kept",
      expiresAt: year,
      usedAt: 5,
    });
    await store.close();
  });

  it(
    "R1: lets PostgreSQL end a statement that waits for a lock, before it is given up",
    { skip },
    async () => {
      const schema = await emptySchema();
      const store = await postgresStore(schema);
      await store.put("a", "1", { value: 1, expiresAt: year });
      const name = new URL(schema).searchParams.get("schema");
      const blocked = sql(
        `BEGIN; LOCK TABLE ${name}.hallpass_rows IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)`,
      );
      const blocker = `FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted
      AND relation = '${name}.hallpass_rows'::regclass`;
      while ((await sql(`SELECT pid ${blocker}`)).length === 0) continue;
      const put = store.put("a", "1", { value: 2, expiresAt: year });
      const endings = await Promise.allSettled([store.get("a", "1"), put]);
      assertEquals(
        endings.map((ending) => ending.status === "rejected" && codeOf(ending.reason)),
        ["55P03", "55P03"],
      );
      await sql(`SELECT pg_terminate_backend(pid) ${blocker}`);
      await assertRejects(() => blocked);
      assertEquals((await eventually(() => store.get("a", "1")))?.value, 1);
      await store.close();
    },
  );
});

describe("A PostgreSQL store whose tables another server updates", () => {
  it("R8: waits for longer than a statement may take", { skip }, async () => {
    const schema = await emptySchema();
    const lock = "pg_advisory_xact_lock(4201379)";
    const updating = sql(`BEGIN; SELECT ${lock}; SELECT pg_sleep(5.5); COMMIT`);
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    while ((await sql(waiting.replace("NOT ", ""))).length === 0) continue;
    const opened = postgresStore(schema);
    await eventually(async () => assertEquals((await sql(waiting)).length, 1));
    await updating;
    await (await opened).close();
  });
});

describe("Opening a PostgreSQL store", () => {
  const at = (user: string, rest = "/postgres") =>
    `postgres://${user}@127.0.0.1:${server?.port}${rest}`;

  const refusals: Record<string, [url: () => string, message: RegExp]> = {
    "a wrong password": [() => at("guest:wrong"), /password is wrong\.$/],
    "a database that does not exist": [() => at("owner", "/nothing"), /no database with this name/],
    "a schema that does not exist": [
      () => at("owner", "/postgres?schema=nowhere"),
      /no schema with this name/,
    ],
    "a user who may not create tables": [
      () => at("guest:correct-horse"),
      /may not create tables there/,
    ],
    "transactions that only read": [() => at("reader"), /only read/],
    "a port without a server": [
      () => "postgres://a:secret@127.0.0.1:1/b",
      /connection was refused/,
    ],
    "a host without an address": [() => "postgres://a@postgres.invalid", /host was not found/],
    "TLS that the server lacks": [
      () => at("owner", "/postgres?sslmode=require"),
      /whether it uses TLS/,
    ],
    "an unknown parameter": [() => at("owner", "/postgres?sslcert=x"), /this one is sslcert/],
    "a wrong parameter": [() => at("owner", "/postgres?connections=0"), /a number from 1 to 999/],
    "a URL without a user": [() => "postgres://localhost/x", /postgres:\/\/USER:PASSWORD@HOST/],
  };
  for (const [name, [urlOf, message]] of Object.entries(refusals)) {
    it(`names the problem and no password with ${name}`, { skip }, async () => {
      await makeRoles();
      const error = await assertRejects(() => postgresStore(urlOf()), Error, "Cannot open the");
      assert(message.test(error.message), error.message);
      assert(!/correct-horse|secret|:wrong/.test(error.message), error.message);
      assertEquals(error.message.split("\n").length, 1);
    });
  }

  it("is the same after pg_dump and pg_restore", { skip }, async () => {
    const schema = await emptySchema();
    const name = new URL(schema).searchParams.get("schema");
    const row = { value: "\u{1f511} \0", expiresAt: year, usedAt: 5 };
    const before = await postgresStore(schema);
    await before.put("a", "\u{1f511}", row);
    await before.close();
    await inFolder(async (folder) => {
      const file = join(folder, "hallpass.dump");
      const database = `--dbname=${url}`;
      const tables = `--table=${name}.hallpass_*`;
      runPostgresProgram("pg_dump", database, "--format=custom", tables, `--file=${file}`);
      await sql(`DROP TABLE ${name}.hallpass_rows; DELETE FROM ${name}.hallpass_schema`);
      runPostgresProgram("pg_restore", database, "--clean", "--if-exists", file);
    });
    const after = await postgresStore(schema);
    assertEquals(await after.get("a", "\u{1f511}"), row);
    await after.close();
  });

  it(
    "marks tables of the version before as its own, which earlier commands refuse, while servers go on",
    { skip },
    async () => {
      const schema = await emptySchema();
      const name = new URL(schema).searchParams.get("schema");
      const running = await postgresStore(schema);
      await running.put("user", "ada", { value: 1, expiresAt: year });
      await sql(`UPDATE ${name}.hallpass_schema SET version = 1`);
      const store = await postgresStore(schema);
      assertEquals(await sql(`SELECT version FROM ${name}.hallpass_schema`), [{ version: 2 }]);
      await running.put("user", "bob", { value: 2, expiresAt: year });
      assertEquals((await store.list("user")).map(([id]) => id), ["ada", "bob"]);
      await Promise.all([running.close(), store.close()]);
    },
  );

  it("updates tables of the version before for a user who may create none", { skip }, async () => {
    const schema = await emptySchema();
    const name = new URL(schema).searchParams.get("schema");
    await (await postgresStore(schema)).close();
    await sql(`UPDATE ${name}.hallpass_schema SET version = 1; CREATE ROLE updater LOGIN`);
    await sql(`GRANT USAGE ON SCHEMA ${name} TO updater`);
    await sql(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO updater`);
    await (await postgresStore(schema.replace("owner", "updater"))).close();
    assertEquals(await sql(`SELECT version FROM ${name}.hallpass_schema`), [{ version: 2 }]);
  });

  it("refuses tables of a newer version, writes nothing, and leaves", { skip }, async () => {
    const schema = await emptySchema();
    const name = new URL(schema).searchParams.get("schema");
    await sql(`CREATE TABLE ${name}.hallpass_schema AS SELECT 99 AS version`);
    const error = await assertRejects(() => postgresStore(schema), Error);
    assert(/version 99, and this program knows version/.test(error.message), error.message);
    const [tables] = await sql(`SELECT count(*) FROM pg_tables WHERE schemaname = '${name}'`);
    assertEquals(Number(tables?.count), 1);
    const sessions = "SELECT FROM pg_stat_activity WHERE application_name = 'hallpass'";
    await eventually(async () => assertEquals((await sql(sessions)).length, 0));
  });

  const foreign = [
    "CREATE TABLE hallpass_rows (id text)",
    "CREATE TABLE hallpass_schema AS SELECT 'app' AS name",
    "CREATE TABLE hallpass_schema AS SELECT 'v1' AS version",
    "CREATE TABLE hallpass_schema AS SELECT 0 AS version",
  ];
  for (const statement of foreign) {
    it(`Y4: refuses tables of another application: ${statement}`, { skip }, async () => {
      const schema = await emptySchema();
      const name = new URL(schema).searchParams.get("schema");
      await sql(statement.replace("hallpass", `${name}.hallpass`));
      const error = await assertRejects(() => postgresStore(schema), Error);
      assertMatch(
        error.message,
        /are of another application, or in a form .* Name another database, or another/,
      );
      const [tables] = await sql(`SELECT count(*) FROM pg_tables WHERE schemaname = '${name}'`);
      assertEquals(Number(tables?.count), 1);
    });
  }

  it("refuses a user who may only read the rows, and names what is missing", { skip }, async () => {
    const schema = await emptySchema();
    await (await postgresStore(schema)).close();
    const name = new URL(schema).searchParams.get("schema");
    await makeRoles();
    await sql(`GRANT USAGE ON SCHEMA ${name} TO guest`);
    await sql(`GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO guest`);
    const attempt = () => postgresStore(at("guest:correct-horse", `/postgres?schema=${name}`));
    const error = await assertRejects(attempt, Error);
    assert(/may not INSERT, UPDATE, DELETE in the table/.test(error.message), error.message);
  });

  it("warns of a setting that loses writes in a crash", { skip }, async () => {
    const store = await openEmpty();
    assertEquals(store.warnings?.length, 1);
    assert(store.warnings?.[0]?.includes("(fsync off)"));
    assertEquals(
      store.name,
      `postgres://127.0.0.1:${server?.port}/postgres?schema=test_${lastSchema - 1}`,
    );
    await store.close();
  });
});

/** Creates the users with few rights. */
async function makeRoles(): Promise<void> {
  await sql(`
    DO $$ BEGIN
      CREATE ROLE guest LOGIN PASSWORD 'correct-horse';
      CREATE ROLE reader LOGIN;
      ALTER ROLE reader SET default_transaction_read_only TO on;
    EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
}

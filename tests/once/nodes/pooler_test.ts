import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { postgresStore } from "../../../src/server/store/postgres.ts";
import { parsePostgresUrl } from "../../../src/server/store/postgres/address.ts";
import { loadPostgresDriver } from "../../../src/server/store/postgres/driver.ts";
import { createPool } from "../../../src/server/store/postgres/pool.ts";
import { createRowStore } from "../../../src/server/store/postgres/row_store.ts";
import { inFolder } from "../../support/folder.ts";
import { present } from "../../support/present.ts";
import { startProgram } from "../../support/program.ts";
import { callWhile } from "../../support/store_load.ts";
import { pgbouncerMissing, startPgbouncer } from "./pgbouncer.ts";

const skip = pgbouncerMissing;

// Outside of the tests, which share them. They end with this process.
const pooled = skip ? undefined : await startPgbouncer("transaction");
const inSessions = skip ? undefined : await startPgbouncer("session");

/** Changes the type of a column ten times, and back. */
async function changeTypes(schema: string): Promise<void> {
  for (let n = 0; n < 20; n++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await present(pooled).server.sql(
      `ALTER TABLE ${schema}.hallpass_rows ALTER COLUMN value TYPE ${n % 2 ? "text" : "varchar"}`,
    );
  }
}

describe("PgBouncer before PostgreSQL", () => {
  it(
    "R0: gives each caller its own result while ALTER TABLE changes a type",
    { skip },
    async () => {
      const { server, url } = present(pooled);
      await server.sql("CREATE SCHEMA chaos");
      const stores = [
        await postgresStore(`${url}?schema=chaos`),
        await postgresStore(`${server.url}?schema=chaos`),
      ];
      const results = await Promise.all([
        callWhile(present(stores[0]), () => changeTypes("chaos"), "pooled"),
        callWhile(present(stores[1]), () => new Promise((end) => setTimeout(end, 1000)), "direct"),
      ]);
      for (const { rounds, wrong, failures } of results) {
        assert(rounds > 0);
        assertEquals({ wrong, failures }, { wrong: [], failures: [] });
      }
      await Promise.all(stores.map((store) => store.close()));
    },
  );

  it("R0: gives each caller its own result though statements are prepared", { skip }, async () => {
    const { server, url } = present(pooled);
    await server.sql("CREATE SCHEMA prepared");
    await (await postgresStore(`${url}?schema=prepared`)).close();
    const load = await loadPostgresDriver();
    const pool = createPool(
      (options) => load({ ...options, prepare: true }),
      parsePostgresUrl(url),
      { isPooled: true },
    );
    const store = createRowStore(pool, "prepared");
    const { rounds, wrong } = await callWhile(store, () => changeTypes("prepared"));
    assert(rounds > 0);
    assertEquals(wrong, []);
    await store.close();
  });

  const modes = { transaction: pooled, session: inSessions };
  for (const [mode, found] of Object.entries(modes)) {
    it(`is found in the mode ${mode}, by default, and named`, { skip }, async () => {
      const { server, url } = present(found);
      await server.sql("CREATE SCHEMA named");
      const store = await postgresStore(`${url}?schema=named`);
      assert(store.warnings?.some((warning) => warning.startsWith("A connection pooler is")));
      await store.put("a", "1", { value: 1, expiresAt: 8e15 });
      assertEquals((await store.get("a", "1"))?.value, 1);
      await store.close();
    });

    it(
      `R0: has marked statements in the mode ${mode}, and PostgreSQL itself none`,
      { skip },
      async () => {
        const { server, url } = present(found);
        const marked = async (url: string, schema: string) => {
          await server.sql(`CREATE SCHEMA ${schema}`);
          const store = await postgresStore(`${url}?schema=${schema}`);
          await store.add("a", "1", { value: 1, expiresAt: 8e15 });
          await store.get("a", "1");
          const latest = await server.sql(
            `SELECT query LIKE '%mark.call%' AS is_marked FROM pg_stat_activity
             WHERE query LIKE '%"${schema}".hallpass_rows AS stored%' AND pid <> pg_backend_pid()`,
          );
          await store.close();
          return latest.map(({ is_marked }) => is_marked);
        };
        assertEquals(await marked(url, "pooled"), [true]);
        assertEquals(await marked(server.url, "direct"), [false]);
      },
    );
  }

  it("is named in the log of a server", { skip }, async () => {
    await inFolder(async (folder) => {
      await mkdir(folder, { recursive: true });
      const file = join(folder, "hallpass.json");
      await writeFile(file, JSON.stringify({ issuer: "http://localhost:1" }));
      const options = ["--config", file, "--store", present(pooled).url, "--port", "0"];
      const program = await startProgram(["serve", ...options]);
      assertEquals(await program.stop(), 0);
      assertMatch(program.output(), /connection pooler is between .*SET statement_timeout = '6s'/);
    });
  });
});

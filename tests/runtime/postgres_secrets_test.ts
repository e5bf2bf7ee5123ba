import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { postgresStore } from "../../src/server/store/postgres.ts";
import { findCredentials } from "../support/credentials.ts";
import { openNotingKit, runEveryFlow } from "../support/noting_kit.ts";
import { postgresMissing, type PostgresServer, startPostgres } from "../support/postgres_server.ts";
import { present } from "../support/present.ts";

const skip = postgresMissing;

// Outside of the test. It ends with this process.
const server = skip ? undefined : await startPostgres("fsync=off");

describe("The tables and the log of writes of PostgreSQL, after every flow", () => {
  it("L13: contain no credential", { skip }, async () => {
    const store = await postgresStore(present(server).url);
    const { kit, credentials } = openNotingKit(store);
    await runEveryFlow(kit);
    const rows = await readRows(present(server));
    assert(rows.includes('"kind": "refresh-token"'), "the tables hold none of our rows");
    assertEquals(findCredentials(rows, credentials), []);
    const log = await readLogOfWrites(present(server));
    assert(log.includes("refresh-token"), "the log holds none of our rows");
    assertEquals(findCredentials(log, credentials), []);
    await store.close();
  });
});

/** Returns every row of every table as JSON, with bytes as text. */
async function readRows({ sql }: PostgresServer): Promise<string> {
  const tables = await sql(
    "SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => sql(`SELECT to_jsonb(every)::text AS row FROM ${name} AS every`)),
  );
  const text = rows.flat().map(({ row }) => String(row)).join("\n");
  return text.replace(/\\\\x([0-9a-f]*)/g, (_, hex) => Buffer.from(hex, "hex").toString("latin1"));
}

/** Returns what was ever written, also the rows that were deleted since. */
async function readLogOfWrites({ sql }: PostgresServer): Promise<string> {
  const [row] = await sql("SHOW data_directory");
  const folder = join(String(row?.data_directory), "pg_wal");
  const files = (await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile());
  const all = await Promise.all(files.map(({ name }) => readFile(join(folder, name))));
  return all.map(writtenText).join("\n");
}

/** Returns a file as text. A new one is long, and full of zeros. */
function writtenText(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1))
    .toString("latin1");
}

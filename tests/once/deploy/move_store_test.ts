import { assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { postgresStore } from "../../../src/server/store/postgres.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import type { Row, Store } from "../../../src/server/store/store.ts";
import { inFolder } from "../../support/folder.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { present } from "../../support/present.ts";

const missing = ["sqlite3", "psql"].find((name) => spawnSync(name, ["--version"]).error);
const skip = missing ? `${missing} is missing` : postgresMissing;

/** The lines of RUNNING.md that copy the rows. */
const [lines] = /^sqlite3 .*\n.*psql .*$/m.exec(readFileSync(".github/RUNNING.md", "utf8")) ?? [];

const expiresAt = 1_795_000_000_123;

const rows: ReadonlyArray<[id: string, row: Row]> = [
  ["", { value: "an empty id", expiresAt }],
  ['a, "b"', { value: { text: 'quotes ", commas , and \\ backslashes' }, expiresAt }],
  ["line\nbreak\t\\x", { value: "line\r\nbreak", expiresAt, usedAt: expiresAt - 0.5 }],
  ["\\.", { value: "\\.", expiresAt: 8_640_000_000_000_000 }],
  ["é🎫", { value: [null, true, "é🎫"], expiresAt, usedAt: 0 }],
];

async function listAll(store: Store): Promise<unknown> {
  const found = await store.list("kind");
  await store.close();
  return found;
}

describe("Moving from SQLite to PostgreSQL", () => {
  it("keeps every row, by the lines in RUNNING.md", { skip }, async () => {
    const { url } = await startPostgres();
    await (await postgresStore(url)).close();
    await inFolder(async (folder) => {
      const store = sqliteStore(join(folder, "hallpass.db"));
      for (const [id, row] of rows) await store.put("kind", id, row);
      const expected = await listAll(store);
      const script = present(lines).replace("--dbname=DATABASE", `--dbname=${url}`);
      const command = ["bash", "-c", `set -o pipefail; ${script}`];
      const { code, output } = await runCommand(command, { timeout: 60_000, cwd: folder });
      assertEquals([code, output.trim()], [0, `COPY ${rows.length}`]);
      assertEquals(await listAll(await postgresStore(url)), expected);
    });
  });
});

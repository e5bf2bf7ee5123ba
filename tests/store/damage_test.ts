import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { createDamageWatch } from "../../src/server/store/sqlite/open_file.ts";

/** A database that says so, and how often it was read. */
function databaseThat(verdicts: string[]) {
  const prepare = () => ({ all: () => [{ quick_check: verdicts.shift() }] });
  return { database: { prepare } as unknown as DatabaseSync, left: () => verdicts.length };
}

describe("Damage that a call of the SQLite store meets", () => {
  const fail = (message: string) => Promise.reject(new Error(message));

  it("Y3: is looked for in the whole file, until that finds none", async () => {
    const { database, left } = databaseThat(["row 7 missing", "ok"]);
    const { watch, check } = createDamageWatch(database);
    await assertRejects(() => watch(fail("disk I/O error")));
    assertThrows(check, Error, "The SQLite file is damaged.");
    assertEquals([check(), check()], [true, false]);
    assertEquals(left(), 0);
  });

  for (const message of ["database is locked", "database or disk is full"]) {
    it(`Y3: is no reason to read the whole file if it is: ${message}`, async () => {
      const { database, left } = databaseThat(["ok"]);
      const { watch, check } = createDamageWatch(database);
      await assertRejects(() => watch(fail(message)));
      check();
      assertEquals(left(), 1);
    });
  }
});

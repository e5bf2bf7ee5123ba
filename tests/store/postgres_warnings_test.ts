import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { parsePostgresUrl } from "../../src/store/postgres/address.ts";
import { serverWarnings } from "../../src/store/postgres/check_server.ts";
import type { Sql } from "../../src/store/postgres/driver.ts";

/** A server that loses nothing. */
const safe = (async () => [{ fsync: "on", commit: "on" }]) as unknown as Sql;

describe("A PostgreSQL store on another machine", () => {
  const cases: Array<[mode: string, count: number]> = [
    ["?sslmode=disable", 1],
    ["?sslmode=prefer", 1],
    ["", 1],
    ["?sslmode=require", 0],
    ["?sslmode=verify-full", 0],
  ];
  for (const [mode, count] of cases) {
    it(`has ${count} warnings of listeners with '${mode}'`, async () => {
      const remote = parsePostgresUrl(`postgres://a:b@db.example/hallpass${mode}`);
      assertEquals((await serverWarnings(safe, remote)).length, count);
      const local = parsePostgresUrl(`postgres://a:b@localhost/hallpass${mode}`);
      assertEquals(await serverWarnings(safe, local), []);
    });
  }

  it("has a warning if one of several hosts is elsewhere", async () => {
    const address = parsePostgresUrl("postgres://a:b@localhost,db.example/hallpass");
    assertEquals((await serverWarnings(safe, address)).length, 1);
  });
});

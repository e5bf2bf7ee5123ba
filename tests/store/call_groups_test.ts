import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { groupCalls } from "../../src/server/store/postgres/call_groups.ts";
import { plans } from "../../src/server/store/postgres/row_calls.ts";

describe("Calls of PostgreSQL", () => {
  it("share a statement with those of the next turn, reads and writes apart", async () => {
    const statements: string[][] = [];
    const make = groupCalls((calls) => {
      statements.push(calls.map(({ part, kind }) => `${part} ${kind}`));
      return Promise.resolve(calls.map(() => []));
    });
    const made = [make([plans.get("code", "a")]), make([plans.delete("code", "a")])];
    await new Promise((resolve) => setImmediate(resolve));
    made.push(make([plans.get("session", "b")]));
    await Promise.all(made);
    assertEquals(statements, [["find code", "find session"], ["remove code"]]);
  });
});

import { assertEquals, assertRejects } from "@std/assert";
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

  it("T3: read single rows apart from lists, which take longer", async () => {
    const statements: string[][] = [];
    const make = groupCalls((calls) => {
      statements.push(calls.map(({ kind }) => kind));
      return Promise.resolve(calls.map(() => []));
    });
    await Promise.all([
      make([plans.get("session", "a")]),
      make([plans.list("consent")]),
      make([plans.get("session", "b"), plans.list("user")]),
      make([plans.get("session", "c")]),
    ]);
    assertEquals(statements, [["session", "session"], ["consent", "session", "user"]]);
  });

  /** Makes eleven calls, one of which is refused with a code, and returns the statements. */
  async function makeBesideRefused(code: string): Promise<{ statements: number; failed: number }> {
    let statements = 0;
    const make = groupCalls((calls) => {
      statements++;
      if (!calls.some(({ kind }) => kind === "refused")) {
        return Promise.resolve(calls.map(() => []));
      }
      return Promise.reject(Object.assign(new Error("refused"), { code }));
    });
    const kinds = ["refused", ...Array.from({ length: 10 }, () => "code")];
    const made = await Promise.allSettled(
      kinds.map((kind, n) => make([plans.consume(kind, `${n}`, 1, 2)])),
    );
    return { statements, failed: made.filter(({ status }) => status === "rejected").length };
  }

  for (const code of ["22P02", "23502", "54000", "42501", "XX001", "P0001", "25P02"]) {
    it(`T1: are made alone if the server refuses them for one of them: ${code}`, async () => {
      assertEquals(await makeBesideRefused(code), { statements: 12, failed: 1 });
    });
  }

  const others = [
    "08006",
    "53100",
    "57014",
    "25006",
    "40001",
    "40P01",
    "55P03",
    "EPIPE",
    "CONNECT_TIMEOUT",
  ];
  for (const code of others) {
    it(`T1: fail together for a reason that is in none of them: ${code}`, async () => {
      assertEquals(await makeBesideRefused(code), { statements: 1, failed: 11 });
    });
  }

  it("T1: do not join others with an id that PostgreSQL cannot index", async () => {
    const kinds: string[][] = [];
    const make = groupCalls((calls) => {
      kinds.push(calls.map(({ kind }) => kind));
      return Promise.resolve(calls.map(() => []));
    });
    const others = [make([plans.consume("code", "x".repeat(2600), 1, 2)])];
    const tooLong = () => make([plans.consume("long", "é".repeat(1301), 1, 2)]);
    await assertRejects(tooLong, Error, "an id of 2602 bytes");
    // There can be no such row.
    await Promise.all([...others, make([plans.get("long", "x".repeat(2601))])]);
    assertEquals(kinds, [["code"], ["long"]]);
  });
});

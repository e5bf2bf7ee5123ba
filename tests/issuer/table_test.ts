import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createRecords } from "../../src/server/issuer/records/records.ts";
import { idPrefix, joinId, splitId } from "../../src/server/issuer/records/row_id.ts";
import { createBatch, mapCall } from "../../src/server/issuer/records/store_calls.ts";
import { plainTable } from "../../src/server/issuer/records/table.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { UnreadableStoreError } from "../../src/server/store/store_errors.ts";
import { present } from "../support/present.ts";

const long2001 = "x".repeat(2001);

/** A table with rows, and how often its store was asked for a page of them. */
async function openTable(count: number) {
  const inner = memoryStore();
  const state = { pages: 0, now: 0 };
  const list: Store["list"] = (...args) => {
    state.pages++;
    return inner.list(...args);
  };
  const table = plainTable<number>({ ...inner, list }, "number", () => state.now);
  for (let at = 0; at < count; at++) await table.put(joinId("a", `${at}`), at, 1000 + at);
  return { state, table };
}

describe("The rows of a table", () => {
  const sizes: Array<[rows: number, pages: number]> = [[0, 1], [99, 1], [100, 2], [101, 2], [
    250,
    3,
  ]];
  for (const [rows, pages] of sizes) {
    it(`are ${rows}, in ${pages} pages of up to a hundred`, async () => {
      const { state, table } = await openTable(rows);
      assertEquals([(await table.list()).length, state.pages], [rows, pages]);
      let yielded = 0;
      for await (const [, value] of table.each(idPrefix("a"))) yielded += value >= 0 ? 1 : 0;
      assertEquals([yielded, state.pages], [rows, 2 * pages]);
    });
  }

  it("are listed by their first parts, or after a text", async () => {
    const { table } = await openTable(2);
    for (const id of [joinId("", "x"), joinId("a/b", "x"), joinId("ab", "x"), joinId("b")]) {
      await table.put(id, 9, 1000);
    }
    const ids = (rows: Array<[string, number]>) => rows.map(([id]) => splitId(id).join("+"));
    assertEquals(ids(await table.list(idPrefix("a"))), ["a+0", "a+1"]);
    assertEquals(ids(await table.list(idPrefix("a/b"))), ["a/b+x"]);
    assertEquals(ids(await table.listAfter("ab")), ["ab+x", "b"]);
    assertEquals((await table.list()).length, 6);
  });

  it("Q6: have ids of up to 2,000 bytes: no other is found, and none is written", async () => {
    const { table } = await openTable(0);
    const ids = ["x".repeat(2000), "x".repeat(2001), "é".repeat(1000), "é".repeat(1001)];
    const written = ids.map((id) => table.put(id, 1, 1000).then(() => true, () => false));
    assertEquals(await Promise.all(written), [true, false, true, false]);
    const found = ids.map((id) => table.find(id));
    assertEquals(await Promise.all(found), [1, undefined, 1, undefined]);
    const long = "x".repeat(3000);
    const writes = [
      () => table.add(long, 1, 1),
      () => table.consume(long, 1),
      () => table.delete(long),
    ];
    for (const write of writes) await assertRejects(write, OAuthError, "more than 2000 bytes");
  });

  for (const count of [99, 100, 250]) {
    it(`are ${count} as well if they are listed together with other calls`, async () => {
      const store = memoryStore();
      const table = plainTable<number>(store, "number", () => 0);
      for (let at = 0; at < count; at++) await table.put(joinId("a", `${at}`), at, 1000 + at);
      const { calls } = table;
      const batch = createBatch(store);
      const [[, listed], long, added, used] = await Promise.all([
        batch(calls.delete("b"), mapCall(calls.list(idPrefix("a")), (rows) => rows.length)),
        batch(calls.get(long2001), calls.get("a/1")),
        batch(calls.add("b", 9, 1), calls.add("b", 9, 1), calls.getStored("b")),
        batch(calls.consume("a/0", 5000), calls.get("a/0")),
      ]);
      assertEquals(listed, count);
      assertEquals(long.map((row) => row?.value), [undefined, 1]);
      assertEquals(added, [true, false, { value: 9, expiresAt: 1 }]);
      assertEquals(used, [true, { value: 0, expiresAt: 5000, usedAt: 0 }]);
      const writes = () => batch(calls.delete("a/0"), calls.put(long2001, 1, 1));
      await assertRejects(writes, OAuthError, "more than 2000 bytes");
      assertEquals((await table.get("a/0"))?.value, 0);
    });
  }

  it("do not exist once they have expired", async () => {
    const { state, table } = await openTable(2);
    state.now = 999;
    assertEquals([(await table.list()).length, await table.find("a/0")], [2, 0]);
    state.now = 1000;
    assertEquals([(await table.list()).length, await table.find("a/0")], [1, undefined]);
  });

  it("are not replaced if they have changed since they were read", async () => {
    const { table } = await openTable(1);
    const before = present(await table.get("a/0"));
    await table.put("a/0", 9, 1000);
    assertEquals(await table.replace("a/0", before, 5), false);
    await table.delete("a/0");
    assertEquals(await table.replace("a/0", before, 5), false);
  });

  it("V3: cannot be read if the store is damaged: another try does not help", async () => {
    const damaged = new UnreadableStoreError("The row is damaged.");
    const fail = () => Promise.reject(damaged);
    const { users } = createRecords({ ...memoryStore(), get: fail, list: fail }, () => 0);
    for (const call of [() => users.find("alice"), () => users.list()]) {
      assertEquals(await assertRejects(call), damaged);
    }
  });

  const failures: Record<string, () => Promise<never>> = {
    rejects: () => Promise.reject(new Error("away")),
    throws: () => {
      throw new Error("away");
    },
  };
  for (const [how, fail] of Object.entries(failures)) {
    it(`cannot be reached if the store ${how}, which is no fault of the client`, async () => {
      const failing = { ...memoryStore(), get: fail, list: fail, sweep: fail };
      const { users, sweep } = createRecords(failing, () => 0);
      for (const call of [() => users.find("alice"), () => users.list(), () => sweep()]) {
        const error = await assertRejects(call, OAuthError, "cannot reach its storage");
        const { status, details: { headers } } = error as OAuthError;
        assertEquals([status, headers], [503, { "Retry-After": "5" }]);
      }
    });
  }
});

import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { makeCalls } from "../../src/server/store/batch.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { withDeadline } from "../../src/server/store/redis/row_store.ts";
import type { BatchedCall, Store } from "../../src/server/store/store.ts";

const row = { value: null, expiresAt: 1000 };

/** A store without batches, which notes what begins and what ends. */
function notedStore(): { store: Store; noted: string[] } {
  const noted: string[] = [];
  const methods = Object.entries(memoryStore()).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      noted.push(name);
      await Promise.resolve();
      noted.push(`end of ${name}`);
      return await method(...args);
    },
  ]);
  return { store: Object.fromEntries(methods), noted };
}

describe("Calls of a store that has no batches", () => {
  it("are made at once if they all read or all write, and otherwise one after the other", async () => {
    const { store, noted } = notedStore();
    const calls: BatchedCall[] = [
      ["get", "a", "1"],
      ["list", "a"],
      ["add", "a", "1", row],
      ["put", "a", "2", row],
      ["consume", "a", "1", 5, 2000],
      ["list", "a"],
    ];
    const used = { ...row, usedAt: 5, expiresAt: 2000 };
    assertEquals(await makeCalls(store, calls), [
      ...[undefined, [], true, true, true],
      [["1", used], ["2", row]],
    ]);
    assertEquals(noted, [
      ...["get", "list", "end of get", "end of list"],
      ...["add", "put", "end of add", "end of put"],
      ...["consume", "end of consume", "list", "end of list"],
    ]);
  });

  it("end with the first that fails", async () => {
    const { store, noted } = notedStore();
    const failing = { ...store, add: () => Promise.reject(new Error("The disk is full.")) };
    const calls: BatchedCall[] = [["add", "a", "1", row], ["consume", "a", "1", 5, 2000]];
    await assertRejects(() => makeCalls(failing, calls), Error, "The disk is full.");
    assertEquals(noted, []);
  });
});

describe("A store with batches", () => {
  it("loses them in a copy: what replaces a method there is not bypassed", async () => {
    const written: string[] = [];
    const store = memoryStore();
    const copy: Store = {
      ...store,
      async put(kind, id, ...rest) {
        written.push(id);
        return await store.put(kind, id, ...rest);
      },
    };
    const calls: BatchedCall[] = [["put", "a", "1", row], ["put", "a", "2", row]];
    await makeCalls(copy, calls);
    assertEquals([copy.batch, written], [undefined, ["1", "2"]]);
  });

  it("keeps them with a deadline", async () => {
    const results = await withDeadline(memoryStore()).batch?.([["add", "a", "1", row]]);
    assertEquals(results, [true]);
    assertEquals(withDeadline(notedStore().store).batch, undefined);
  });
});

import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { storeContract } from "../../src/lab/testing/store_contract.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import { openFileStore } from "../support/sqlite_file.ts";

describe("The memory store", () => {
  for (const { name, check } of storeContract(memoryStore)) it(name, check);
});

describe("The SQLite store in memory", () => {
  for (const { name, check } of storeContract(() => sqliteStore(":memory:"))) it(name, check);
});

describe("The SQLite store in a file", () => {
  for (const { name, check } of storeContract(openFileStore)) it(name, check);
});

describe("The contract for stores", () => {
  it("is broken by a store that makes the calls of a batch in another order", async () => {
    const cases = storeContract(() => {
      const store = memoryStore();
      return { ...store, batch: async (calls) => await store.batch?.(calls.toReversed()) ?? [] };
    });
    const broken: string[] = [];
    for (const { name, check } of cases) await check().catch(() => broken.push(name));
    assertEquals(broken, [
      "makes the calls of a batch in order, if it has batches",
      "lets one of a hundred racing batches consume a row, and keeps what all add",
    ]);
  });

  it("is broken by a store that ignores the condition of a write", async () => {
    const broken: string[] = [];
    const cases = storeContract(() => {
      const store = memoryStore();
      return { ...store, put: (kind, id, row) => store.put(kind, id, row) };
    });
    for (const { name, check } of cases) await check().catch(() => broken.push(name));
    assertEquals(broken, [
      "replaces a row only if it is still the one that was read",
      "does not replace a row that was consumed, deleted or never there",
      "lets one of a hundred racing replacements win",
    ]);
  });
});

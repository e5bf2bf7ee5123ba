import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createRestorableStore } from "../../../src/lab/lab_server/restorable_store.ts";
import { storeContract } from "../../../src/lab/testing/store_contract.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";

describe("A store that can return to what it held", () => {
  for (const { name, check } of storeContract(() => createRestorableStore(memoryStore()))) {
    it(name, check);
  }

  it("returns to it", async () => {
    const store = createRestorableStore(memoryStore());
    await store.put("kind", "a", { value: 1, expiresAt: 1000 });
    const rows = await store.everything();
    await store.put("kind", "a", { value: 2, expiresAt: 1000 });
    await store.put("other", "b", { value: 3, expiresAt: 1000 });
    await store.restore(rows);
    assertEquals(await store.everything(), rows);
  });
});

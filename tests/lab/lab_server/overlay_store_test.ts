import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createOverlayStore } from "../../../src/lab/lab_server/overlay_store.ts";
import { createRestorableStore } from "../../../src/lab/lab_server/restorable_store.ts";
import { createChangeHistory } from "../../../src/lab/recording/change_history.ts";
import { storeContract } from "../../../src/lab/testing/store_contract.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";

const expiresAt = 1000;

/** Lays a store over another one as that is now. */
function overlayOf(base: Store): Store {
  const history = createChangeHistory(() => 0);
  return createOverlayStore(createRestorableStore(base, { history }).at(history.at(0)));
}

describe("The overlay store", () => {
  for (const { name, check } of storeContract(() => overlayOf(memoryStore()))) {
    it(name, check);
  }

  it("begins with the rows of the store below it, and changes none of them", async () => {
    const base = memoryStore();
    for (const id of ["a", "b", "c"]) await base.put("kind", id, { value: id, expiresAt });
    const overlay = overlayOf(base);
    await overlay.put("kind", "a", { value: "changed", expiresAt });
    await overlay.delete("kind", "b");
    assertEquals(await overlay.add("kind", "c", { value: "new", expiresAt }), false);
    assertEquals(await overlay.consume("kind", "c", 1, expiresAt), true);
    await overlay.put("kind", "d", { value: "d", expiresAt });

    assertEquals((await overlay.list("kind")).map(([id, { value }]) => [id, value]), [
      ["a", "changed"],
      ["c", "c"],
      ["d", "d"],
    ]);
    assertEquals(
      await base.list("kind"),
      ["a", "b", "c"].map((id) => [id, { value: id, expiresAt }]),
    );
  });

  it("reads more rows than a page of the store below it has", async () => {
    const base = memoryStore();
    for (let index = 0; index < 2001; index++) {
      await base.put("kind", `row-${index}`, { value: index, expiresAt });
    }
    const overlay = overlayOf(base);
    assertEquals((await overlay.list("kind", { limit: 5000 })).length, 2001);
  });
});

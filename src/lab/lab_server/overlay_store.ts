import { memoryStore } from "../../server/store/memory.ts";
import type { Store } from "../../server/store/store.ts";
import type { HeldRows, StoreObservers } from "./restorable_store.ts";

/**
 * Creates a store that begins with the rows of another one at some time, and keeps every change to
 * itself: the other one is only read. `onWrite` learns of each row.
 */
export function createOverlayStore(
  base: Pick<HeldRows, "get" | "all">,
  onWrite: StoreObservers["onWrite"] = () => {},
): Store {
  const overlay = memoryStore();
  /** The kinds and ids of which the overlay has the current row, or knows that there is none. */
  const copied = new Set<string>();
  const copiedKinds = new Set<string>();

  async function copyRow(kind: string, id: string): Promise<Store> {
    const key = JSON.stringify([kind, id]);
    if (copiedKinds.has(kind) || copied.has(key)) return overlay;
    const row = await base.get(kind, id);
    // Another call may have copied it meanwhile, and changed it.
    if (row && !copied.has(key)) await overlay.add(kind, id, row);
    copied.add(key);
    return overlay;
  }

  async function copyKind(kind: string): Promise<Store> {
    if (copiedKinds.has(kind)) return overlay;
    for (const [id] of await base.all(kind)) await copyRow(kind, id);
    copiedKinds.add(kind);
    return overlay;
  }

  return {
    name: "overlay",
    get: async (kind, id) => await (await copyRow(kind, id)).get(kind, id),
    async put(kind, id, row, condition) {
      onWrite(kind, id);
      return await (await copyRow(kind, id)).put(kind, id, row, condition);
    },
    async add(kind, id, row) {
      onWrite(kind, id);
      return await (await copyRow(kind, id)).add(kind, id, row);
    },
    consume: async (kind, id, at, keepUntil) =>
      await (await copyRow(kind, id)).consume(kind, id, at, keepUntil),
    delete: async (kind, id) => await (await copyRow(kind, id)).delete(kind, id),
    list: async (kind, options) => await (await copyKind(kind)).list(kind, options),
    sweep: async (before, limit) => await overlay.sweep(before, limit),
    close: async () => await overlay.close(),
  };
}

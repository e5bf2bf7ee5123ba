import type { Store } from "../store/store.ts";

/** What a lab keeps when it begins anew: clients go on with the keys that they have fetched. */
const kept = ["key", "secret"];

/** Deletes every row but those of the server's own keys. */
export async function emptyStore(store: Store): Promise<void> {
  const rows = await Promise.all(
    kept.map(async (kind) => (await store.list(kind)).map(([id, row]) => ({ kind, id, row }))),
  );
  // Before this instant everything expires.
  while (await store.sweep(Number.MAX_SAFE_INTEGER) > 0);
  await Promise.all(rows.flat().map(({ kind, id, row }) => store.put(kind, id, row)));
}

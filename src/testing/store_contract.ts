import type { Row, Store } from "../store/store.ts";

/** One thing that every store must do. */
export interface StoreContractCase {
  /** What the store must do, as the title of a test. */
  name: string;
  /** Rejects if the store does not do it. */
  check(): Promise<void>;
}

/**
 * What a store promises, as tests for any runner:
 *
 *     for (const { name, check } of storeContract(() => myStore())) it(name, check);
 *
 * `open` gives a store that is empty each time.
 */
export function storeContract(open: () => Store | Promise<Store>): StoreContractCase[] {
  return Object.entries(promises).map(([name, keep]) => ({
    name,
    check: async () => {
      const store = await open();
      try {
        await keep(store);
      } finally {
        await store.close();
      }
    },
  }));
}

const row: Row = {
  value: { text: "é 🎫 \u0000 '\"\\", number: 1.5, list: [null, true, {}] },
  expiresAt: 1000,
};
const late = 8.64e15;

const promises: Record<string, (store: Store) => Promise<void>> = {
  async "gives back what was put, to the letter"(store) {
    await store.put("a", "1", row);
    equal(await store.get("a", "1"), row);
  },
  async "knows nothing of what was never put"(store) {
    equal(await store.get("a", "1"), undefined);
  },
  async "keeps kinds apart"(store) {
    await store.put("a", "1", row);
    equal(await store.get("b", "1"), undefined);
    equal(await store.get("a/1", ""), undefined);
  },
  async "replaces a row wholly, its use included"(store) {
    await store.put("a", "1", row);
    await store.consume("a", "1", 5, 2000);
    await store.put("a", "1", { value: null, expiresAt: 3000 });
    equal(await store.get("a", "1"), { value: null, expiresAt: 3000 });
  },
  async "keeps a copy, and hands out copies"(store) {
    const value = { list: [1] };
    await store.put("a", "1", { value, expiresAt: 1000 });
    value.list.push(2);
    const first = await store.get("a", "1");
    (first!.value as typeof value).list.push(3);
    equal((await store.get("a", "1"))?.value, { list: [1] });
  },
  async "takes any text for an id"(store) {
    const ids = ["", " ", "'", '"', "%", "_", "\\", "a:b/c\n", "é", "🎫", "x".repeat(2000)];
    for (const id of ids) await store.put("a", id, { value: id, expiresAt: 1000 });
    for (const id of ids) equal((await store.get("a", id))?.value, id);
  },
  async "gives an expired row as well: it knows no time"(store) {
    await store.put("a", "1", { value: null, expiresAt: 0 });
    equal(await store.get("a", "1"), { value: null, expiresAt: 0 });
  },
  async "keeps instants as far off as a Date can be"(store) {
    await store.put("a", "1", { value: null, expiresAt: late });
    equal((await store.get("a", "1"))?.expiresAt, late);
  },
  async "deletes, and is content with nothing to delete"(store) {
    await store.put("a", "1", row);
    await store.delete("a", "1");
    await store.delete("a", "1");
    equal(await store.get("a", "1"), undefined);
  },
  async "adds only where no row stands"(store) {
    equal(await store.add("a", "1", row), true);
    equal(await store.add("a", "1", { value: "other", expiresAt: 2000 }), false);
    equal(await store.get("a", "1"), row);
    await store.delete("a", "1");
    equal(await store.add("a", "1", row), true);
  },
  async "lets one of a hundred racing adds win"(store) {
    const won = await Promise.all(
      many(100, (n) => store.add("a", "1", { value: n, expiresAt: 1000 })),
    );
    equal(won.filter(Boolean).length, 1);
    equal((await store.get("a", "1"))?.value, won.indexOf(true));
  },
  async "consumes once, and keeps the row as long as it is told"(store) {
    await store.put("a", "1", row);
    equal(await store.consume("a", "1", 5, 2000), true);
    equal(await store.consume("a", "1", 6, 3000), false);
    equal(await store.get("a", "1"), { ...row, usedAt: 5, expiresAt: 2000 });
  },
  async "consumes nothing where nothing stands"(store) {
    equal(await store.consume("a", "1", 5, 2000), false);
    equal(await store.get("a", "1"), undefined);
  },
  async "lets one of a hundred racing consumes win"(store) {
    await store.put("a", "1", row);
    const won = await Promise.all(many(100, (n) => store.consume("a", "1", n, 2000)));
    equal(won.filter(Boolean).length, 1);
    equal((await store.get("a", "1"))?.usedAt, won.indexOf(true));
  },
  async "shows a write to every read that follows its promise"(store) {
    for (let n = 0; n < 20; n++) {
      await store.put("a", "1", { value: n, expiresAt: 1000 });
      equal((await store.get("a", "1"))?.value, n);
    }
  },
  async "lists a kind in the order of its ids, page by page"(store) {
    const sorted = ["", "B", "a", "b", "c", "c/1", "c/2", "\uffff", "🎫"];
    for (const id of sorted.toReversed()) await store.put("k", id, { value: id, expiresAt: 0 });
    await store.put("other", "a", row);
    equal(
      (await store.list("k")).map(([id, { value }]) => [id, value]),
      sorted.map((id) => [id, id]),
    );
    equal((await store.list("k", { after: "b", limit: 2 })).map(([id]) => id), ["c", "c/1"]);
    equal((await store.list("k", { after: "", limit: 1 })).map(([id]) => id), ["B"]);
    equal(await store.list("k", { after: "🎫" }), []);
    equal(await store.list("nothing"), []);
  },
  async "lists what came and not what went"(store) {
    await store.put("k", "a", row);
    await store.list("k");
    await store.put("k", "b", row);
    await store.delete("k", "a");
    equal((await store.list("k")).map(([id]) => id), ["b"]);
  },
  async "sweeps what expired before the given time, and nothing else"(store) {
    for (const expiresAt of [10, 20, 30, late]) {
      await store.put("k", `${expiresAt}`, { value: null, expiresAt });
    }
    equal(await store.sweep(30), 2);
    equal((await store.list("k")).map(([id]) => id).sort(), ["30", `${late}`].sort());
  },
  async "sweeps no more than it is told at once"(store) {
    for (let n = 0; n < 10; n++) {
      await store.put(`kind ${n % 3}`, `${n}`, { value: null, expiresAt: n });
    }
    equal([
      await store.sweep(100, 4),
      await store.sweep(100, 4),
      await store.sweep(100, 4),
      await store.sweep(100, 4),
    ], [4, 4, 2, 0]);
  },
  async "sweeps as much as it is told, whatever became of other rows"(store) {
    for (let n = 0; n < 10; n++) {
      await store.put("moved", `${n}`, { value: null, expiresAt: 1 });
      await store.put("moved", `${n}`, { value: null, expiresAt: 1000 });
      await store.put("gone", `${n}`, { value: null, expiresAt: 2 });
      await store.delete("gone", `${n}`);
      await store.put("due", `${n}`, { value: null, expiresAt: 3 });
    }
    equal([await store.sweep(100, 4), await store.sweep(100, 100)], [4, 6]);
  },
  async "does not sweep a row whose end was put off"(store) {
    await store.put("k", "put", { value: null, expiresAt: 10 });
    await store.put("k", "put", { value: null, expiresAt: 100 });
    await store.put("k", "consumed", { value: null, expiresAt: 10 });
    await store.consume("k", "consumed", 5, 100);
    await store.sweep(50);
    equal((await store.list("k")).map(([id]) => id), ["consumed", "put"]);
  },
};

function many<T>(times: number, act: (n: number) => Promise<T>): Array<Promise<T>> {
  return Array.from({ length: times }, (_, n) => act(n));
}

/** Compares by value; a broken promise tells what was promised and what came. */
function equal(actual: unknown, promised: unknown): void {
  if (canonical(actual) === canonical(promised)) return;
  throw new Error(`The store gave ${canonical(actual)}; it should give ${canonical(promised)}.`);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, member]) => member !== undefined).sort((
    [a],
    [b],
  ) => a < b ? -1 : 1);
  return `{${
    members.map(([name, member]) => `${JSON.stringify(name)}: ${canonical(member)}`).join(", ")
  }}`;
}

import type { BatchedCall, ListOptions, Row, Store } from "../../server/store/store.ts";

/** The latest time that a `Date` can hold. */
const latest = 8.64e15;

const row: Row = {
  value: { text: "é 🎫 \u0000 '\"\\", number: 1.5, list: [null, true, {}] },
  expiresAt: 1000,
};

/** One requirement of the contract for stores. */
export interface StoreContractCase {
  /** What the store must do, as the title of a test. */
  name: string;
  /** Rejects if the store does not do it. */
  check(): Promise<void>;
}

/**
 * Returns the contract for stores as tests for any runner. `open` must return an empty store each
 * time.
 *
 * @example
 * ```ts ignore
 * for (const { name, check } of storeContract(() => myStore())) it(name, check);
 * ```
 */
export function storeContract(open: () => Store | Promise<Store>): StoreContractCase[] {
  return Object.entries(requirements).map(([name, checkStore]) => ({
    name,
    async check() {
      const store = await open();
      try {
        await checkStore(store);
      } finally {
        await store.close();
      }
    },
  }));
}

const requirements: Record<string, (store: Store) => Promise<void>> = {
  async "returns exactly what was put"(store) {
    await store.put("a", "1", row);
    equal(await store.get("a", "1"), row);
  },
  async "returns undefined for a row that was never put"(store) {
    equal(await store.get("a", "1"), undefined);
  },
  async "keeps kinds apart"(store) {
    await store.put("a", "1", row);
    equal(await store.get("b", "1"), undefined);
    equal(await store.get("a/1", ""), undefined);
  },
  async "replaces a whole row, including its use"(store) {
    await store.put("a", "1", row);
    await store.consume("a", "1", 5, 2000);
    await store.put("a", "1", { value: null, expiresAt: 3000 });
    equal(await store.get("a", "1"), { value: null, expiresAt: 3000 });
  },
  async "replaces a row only if it is still the one that was read"(store) {
    const later: Row = { value: { text: "later" }, expiresAt: 2000 };
    equal(await store.put("a", "1", row), true);
    equal(await store.put("a", "1", later, { replaces: await store.get("a", "1") }), true);
    equal(await store.put("a", "1", row, { replaces: row }), false);
    equal(await store.get("a", "1"), later);
    equal(await store.put("a", "1", row, { replaces: { ...later, value: "later" } }), false);
    equal(await store.put("a", "1", row, { replaces: { ...later, expiresAt: 2001 } }), false);
    equal(await store.put("a", "1", row, { replaces: { ...later, usedAt: 5 } }), false);
    equal(await store.get("a", "1"), later);
  },
  async "does not replace a row that was consumed, deleted or never there"(store) {
    const before: Row = { value: null, expiresAt: 1000 };
    const used: Row = { ...before, usedAt: 5 };
    await store.put("a", "1", before);
    await store.consume("a", "1", 5, 1000);
    equal(await store.put("a", "1", row, { replaces: before }), false);
    equal(await store.get("a", "1"), used);
    equal(await store.put("a", "1", row, { replaces: used }), true);
    equal(await store.get("a", "1"), row);
    await store.delete("a", "1");
    equal(await store.put("a", "1", row, { replaces: row }), false);
    equal(await store.put("a", "2", row, { replaces: row }), false);
    equal([await store.get("a", "1"), await store.get("a", "2")], [undefined, undefined]);
  },
  async "replaces a row with any JSON in it"(store) {
    const values = ["", "é 🎫 \u0000 '\"\\\ud800", 0.1, 1e21, -0, [null, { "2": 1, b: 2, a: [] }]];
    for (const value of values) {
      await store.put("a", "1", { value, expiresAt: 1000.5 });
      const replaces = await store.get("a", "1");
      equal(await store.put("a", "1", { value: null, expiresAt: latest }, { replaces }), true);
    }
    equal(await store.get("a", "1"), { value: null, expiresAt: latest });
  },
  async "lets one of a hundred racing replacements win"(store) {
    await store.put("a", "1", row);
    const won = await Promise.all(
      many(100, (n) => store.put("a", "1", { value: n, expiresAt: 1000 }, { replaces: row })),
    );
    equal(won.filter(Boolean).length, 1);
    equal((await store.get("a", "1"))?.value, won.indexOf(true));
  },
  async "lists and sweeps a replaced row by what it is now"(store) {
    await store.put("k", "a", { value: 1, expiresAt: 10 });
    await store.put("k", "a", { value: 2, expiresAt: 100 }, {
      replaces: { value: 1, expiresAt: 10 },
    });
    equal(await store.sweep(50), 0);
    equal((await store.list("k")).map(([id, { value }]) => [id, value]), [["a", 2]]);
    equal(await store.sweep(101), 1);
  },
  async "stores a copy and returns copies"(store) {
    const value = { list: [1] };
    await store.put("a", "1", { value, expiresAt: 1000 });
    value.list.push(2);
    const first = await store.get("a", "1") as Row<typeof value>;
    first.value.list.push(3);
    equal((await store.get("a", "1"))?.value, { list: [1] });
  },
  async "accepts any text as an id"(store) {
    const ids = ["", " ", "'", '"', "%", "_", "\\", "a:b/c\n", "é", "🎫", "x".repeat(2000)];
    for (const id of ids) await store.put("a", id, { value: id, expiresAt: 1000 });
    for (const id of ids) equal((await store.get("a", id))?.value, id);
  },
  async "accepts an id of 2,000 bytes that cannot be compressed"(store) {
    const id = Array.from({ length: 60 }, () => crypto.randomUUID()).join("").slice(0, 2000);
    equal(await store.add("a", id, row), true);
    equal(await store.put("a", id, row, { replaces: row }), true);
    equal(await store.consume("a", id, 5, 1000), true);
    equal((await store.list("a")).map(([each]) => each), [id]);
    equal(await store.get("a", id), { ...row, usedAt: 5 });
  },
  async "makes every other call beside one that it refuses"(store) {
    const tooLong = many(250, () => crypto.randomUUID()).join("");
    const others = many(10, (n) => store.add("a", `${n}`, row));
    const refused = store.add("a", tooLong, row).catch(() => {});
    equal(await Promise.all(others), many(10, () => true));
    await refused;
    const reads = many(10, (n) => store.get("a", `${n}`));
    await store.get("a", tooLong).catch(() => {});
    equal(await Promise.all(reads), many(10, () => row));
  },
  async "returns expired rows: it has no clock"(store) {
    await store.put("a", "1", { value: null, expiresAt: 0 });
    equal(await store.get("a", "1"), { value: null, expiresAt: 0 });
  },
  async "stores every time that a Date can hold"(store) {
    await store.put("a", "1", { value: null, expiresAt: latest });
    equal((await store.get("a", "1"))?.expiresAt, latest);
  },
  async "deletes a row, and ignores one that does not exist"(store) {
    await store.put("a", "1", row);
    await store.delete("a", "1");
    await store.delete("a", "1");
    equal(await store.get("a", "1"), undefined);
  },
  async "adds a row only if there is none"(store) {
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
  async "consumes a row once, and keeps it until the given time"(store) {
    await store.put("a", "1", row);
    equal(await store.consume("a", "1", 5, 2000), true);
    equal(await store.consume("a", "1", 6, 3000), false);
    equal(await store.get("a", "1"), { ...row, usedAt: 5, expiresAt: 2000 });
  },
  async "does not consume a row that does not exist"(store) {
    equal(await store.consume("a", "1", 5, 2000), false);
    equal(await store.get("a", "1"), undefined);
  },
  async "lets one of a hundred racing consumes win"(store) {
    await store.put("a", "1", row);
    const won = await Promise.all(many(100, (n) => store.consume("a", "1", n, 2000)));
    equal(won.filter(Boolean).length, 1);
    equal((await store.get("a", "1"))?.usedAt, won.indexOf(true));
  },
  async "shows a write to every read after its promise"(store) {
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
  async "lists the ids before another one, which need not exist"(store) {
    for (const id of ["", "a", "a/1", "a/2", "b", "\uffff", "🎫"]) await store.put("k", id, row);
    const list = async (options: ListOptions) => (await store.list("k", options)).map(([id]) => id);
    equal(await list({ before: "a/2" }), ["", "a", "a/1"]);
    equal(await list({ after: "a/", before: "a0" }), ["a/1", "a/2"]);
    equal(await list({ after: "a/", before: "a0", limit: 1 }), ["a/1"]);
    equal(await list({ after: "b", before: "🎫" }), ["\uffff"]);
    equal(await list({ before: "" }), []);
  },
  async "lists added rows and no deleted ones"(store) {
    await store.put("k", "a", row);
    await store.list("k");
    await store.put("k", "b", row);
    await store.delete("k", "a");
    equal((await store.list("k")).map(([id]) => id), ["b"]);
  },
  async "lists a row once that was replaced, or deleted and added again"(store) {
    for (const id of ["a", "b", "c"]) await store.put("k", id, row);
    await store.list("k");
    await store.put("k", "a", { value: null, expiresAt: 3000 });
    await store.delete("k", "b");
    equal((await store.list("k", { limit: 2 })).map(([id]) => id), ["a", "c"]);
    await store.add("k", "b", row);
    equal((await store.list("k")).map(([id]) => id), ["a", "b", "c"]);
  },
  async "sweeps only rows that expired before the given time"(store) {
    for (const expiresAt of [10, 20, 30, latest]) {
      await store.put("k", `${expiresAt}`, { value: null, expiresAt });
    }
    equal(await store.sweep(30), 2);
    equal((await store.list("k")).map(([id]) => id).sort(), ["30", `${latest}`].sort());
  },
  async "sweeps no more rows than the limit"(store) {
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
  async "sweeps as many rows as the limit, whatever happened to other rows"(store) {
    for (let n = 0; n < 10; n++) {
      await store.put("moved", `${n}`, { value: null, expiresAt: 1 });
      await store.put("moved", `${n}`, { value: null, expiresAt: 1000 });
      await store.put("gone", `${n}`, { value: null, expiresAt: 2 });
      await store.delete("gone", `${n}`);
      await store.put("due", `${n}`, { value: null, expiresAt: 3 });
    }
    equal([await store.sweep(100, 4), await store.sweep(100, 100)], [4, 6]);
  },
  async "does not sweep a row whose expiry was extended"(store) {
    await store.put("k", "put", { value: null, expiresAt: 10 });
    await store.put("k", "put", { value: null, expiresAt: 100 });
    await store.put("k", "consumed", { value: null, expiresAt: 10 });
    await store.consume("k", "consumed", 5, 100);
    await store.sweep(50);
    equal((await store.list("k")).map(([id]) => id), ["consumed", "put"]);
  },
  async "makes the calls of a batch in order, if it has batches"(store) {
    const used = { ...row, usedAt: 5, expiresAt: 2000 };
    const other = { value: "other", expiresAt: 3000 };
    const expected: Array<[call: BatchedCall, result: unknown]> = [
      [["get", "a", "1"], undefined],
      [["put", "a", "1", row], true],
      [["get", "a", "1"], row],
      [["add", "a", "1", other], false],
      [["add", "b", "1", other], true],
      [["put", "b", "1", row, { replaces: row }], false],
      [["put", "b", "1", row, { replaces: other }], true],
      [["consume", "a", "1", 5, 2000], true],
      [["consume", "a", "1", 6, 3000], false],
      [["consume", "a", "2", 5, 2000], false],
      [["list", "a"], [["1", used]]],
      [["put", "a", "", other], true],
      [["list", "a", { after: "", before: "2", limit: 1 }], [["1", used]]],
      [["delete", "a", ""], undefined],
      [["list", "a"], [["1", used]]],
      [["list", "c"], []],
    ];
    if (!store.batch) return;
    const results = await store.batch(expected.map(([call]) => call));
    equal(results, expected.map(([, result]) => result));
    equal([await store.get("a", "1"), await store.get("b", "1")], [used, row]);
  },
  async "makes batches of any size, if it has batches"(store) {
    equal(await store.batch?.([]) ?? [], []);
    const calls = many(200, (n): BatchedCall => ["add", `kind ${n % 3}`, `${n % 150}`, row]);
    const results = await store.batch?.(calls);
    equal(results ?? [], results ? calls.map((_, n) => n < 150) : []);
  },
  async "lets one of a hundred racing batches consume a row, and keeps what all add"(store) {
    if (!store.batch) return;
    await store.put("a", "1", row);
    const batches = many(100, (n) =>
      store.batch?.([
        ["add", "b", `${n}`, row],
        ["put", "b", "shared", { value: n, expiresAt: 1000 }],
        ["consume", "a", "1", n, 2000],
        ["get", "a", "1"],
      ]));
    const results = (await Promise.all(batches)).map((each = []) => each);
    const won = results.map(([, , isFirst]) => isFirst);
    equal(won.filter(Boolean).length, 1);
    const used = { ...row, usedAt: won.indexOf(true), expiresAt: 2000 };
    equal(results.map((each) => each[3]), results.map(() => used));
    equal((await store.list("b", { limit: 200 })).length, 101);
  },
  async "lets no two batches miss each other that write and then read, if it has batches"(store) {
    if (!store.batch) return;
    const call = (own: string, other: string, id: string) =>
      store.batch?.([["put", own, id, row], ["get", other, id], ["list", other]]);
    const pairs = await Promise.all(
      many(100, (n) => Promise.all([call("one", "two", `${n}`), call("two", "one", `${n}`)])),
    );
    const found = pairs.map((pair) => pair.filter((results = []) => results[1] !== undefined));
    equal(found.filter((each) => each.length === 0), []);
  },
  async "makes batches that change the same rows in another order"(store) {
    if (!store.batch) return;
    const puts = many(10, (n): BatchedCall => ["put", "a", `${n}`, row]);
    const batches = many(50, (n) => store.batch?.(n % 2 === 0 ? puts : puts.toReversed()));
    equal((await Promise.all(batches)).flat(), many(500, () => true));
  },
  async "returns the time in milliseconds, if it has a clock"(store) {
    if (!store.now) return;
    const before = await store.now();
    equal(Math.abs(before - Date.now()) < 24 * 60 * 60 * 1000, true);
    equal(await store.now() >= before, true);
  },
  async "grows with its rows, if it knows its size"(store) {
    const before = await store.size?.() ?? {};
    await store.put("a", "1", row);
    const { rows, bytes = 0 } = await store.size?.() ?? {};
    equal(rows, before.rows === undefined ? undefined : before.rows + 1);
    equal(bytes >= (before.bytes ?? 0), true);
  },
};

function many<T>(times: number, act: (n: number) => T): T[] {
  return Array.from({ length: times }, (_, n) => act(n));
}

/** Compares by value. */
function equal(actual: unknown, expected: unknown): void {
  if (canonical(actual) === canonical(expected)) return;
  throw new Error(`The store returned ${canonical(actual)} instead of ${canonical(expected)}.`);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => one < other ? -1 : 1)
    .map(([name, member]) => `${JSON.stringify(name)}: ${canonical(member)}`);
  return `{${members.join(", ")}}`;
}

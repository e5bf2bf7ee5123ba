import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  createRestorableStore,
  type RestorableStore,
} from "../../../src/lab/lab_server/restorable_store.ts";
import {
  type ChangeHistory,
  createChangeHistory,
} from "../../../src/lab/recording/change_history.ts";
import { storeContract } from "../../../src/lab/testing/store_contract.ts";
import { LabError } from "../../../src/lab/util/lab_error.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";

const expiresAt = 1000;

interface Opened {
  store: RestorableStore;
  history: ChangeHistory;
  /** Ends a request, and returns the mark of the next one. */
  next(): number;
  /** Returns the values that the store held at a mark, by their ids. */
  valuesAt(mark: number): Promise<Record<string, unknown>>;
}

function open(earliest?: () => number): Opened {
  let mark = 0;
  const history = createChangeHistory(() => mark);
  const store = createRestorableStore(memoryStore(), { history, earliest });
  return {
    store,
    history,
    next: () => ++mark,
    async valuesAt(since) {
      const rows = await store.at(history.at(since)).all("kind");
      return Object.fromEntries(rows.map(([id, { value }]) => [id, value]));
    },
  };
}

describe("A store that remembers", () => {
  for (const { name, check } of storeContract(() => open().store)) it(name, check);

  it("knows what it held at each mark: what was added, changed, used and deleted", async () => {
    const { store, history, next, valuesAt } = open();
    const marks = [next()];
    const changes = [
      () => store.add("kind", "a", { value: 1, expiresAt }),
      () => store.batch?.([["get", "kind", "a"], ["put", "kind", "a", { value: 2, expiresAt }]]),
      () =>
        store.put("kind", "a", { value: 3, expiresAt: 1 }, { replaces: { value: 9, expiresAt } }),
      () => store.consume("kind", "a", 7, expiresAt),
      () => store.put("kind", "b", { value: "b", expiresAt: 1 }),
      () => store.delete("kind", "a"),
    ];
    for (const change of changes) {
      next();
      await change();
      marks.push(next());
    }
    assertEquals(await Promise.all(marks.map(valuesAt)), [
      {},
      { a: 1 },
      { a: 2 },
      { a: 2 },
      { a: 2 },
      { a: 2, b: "b" },
      { b: "b" },
    ]);
    const used = await Promise.all(
      marks.map(async (mark) => (await store.at(history.at(mark)).get("kind", "a"))?.usedAt),
    );
    assertEquals(used, [undefined, undefined, undefined, undefined, 7, 7, undefined]);
  });

  it("sweeps nothing that was valid an hour before the earliest time of a replay", async () => {
    let earliest = 3_600_000 + 1;
    const { store, next, valuesAt } = open(() => earliest);
    await store.put("kind", "a", { value: "a", expiresAt: 1 });
    assertEquals(await store.sweep(9), 0);
    assertEquals(await valuesAt(next()), { a: "a" });
    earliest = 3_600_000 + 2;
    assertEquals(await store.sweep(9), 1);
  });

  it("still knows it when the store changes while it is read", async () => {
    const { store, history, next } = open();
    await store.put("kind", "a", { value: 1, expiresAt });
    const then = store.at(history.at(next()));
    next();
    const reading = then.get("kind", "a");
    await store.put("kind", "a", { value: 2, expiresAt });
    assertEquals((await reading)?.value, 1);
    assertEquals((await then.get("kind", "a"))?.value, 1);
  });

  it("takes a limited amount of memory: what is older is unknown", async () => {
    const { store, history, next, valuesAt } = open();
    const begin = next();
    next();
    for (const letter of "abcdefghijklmnopqrst") {
      await store.put("kind", "large", { value: letter.repeat(1_000_000), expiresAt });
    }
    const end = next();
    assertThrows(() => history.at(begin), LabError, "no longer knows what it was like then");
    assertEquals(await valuesAt(end), { large: "t".repeat(1_000_000) });
  });
});

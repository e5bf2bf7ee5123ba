import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import { createDueRows } from "../../../src/server/features/deliveries/due_rows.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { day, minute } from "../../../src/server/util/time/duration.ts";
import { itWith } from "../../support/it_with.ts";
import { openStrictKit } from "../../support/kit.ts";

interface Waiting {
  id: string;
  owner: string;
  dueAt: number;
}

/** Rows that wait in a store which counts the rows that are read. */
function openWaiting() {
  const { batch: _, ...store } = memoryStore();
  let read = 0;
  const list = async (...args: Parameters<typeof store.list>) => {
    const rows = await store.list(...args);
    read += rows.length;
    return rows;
  };
  const get = (...args: Parameters<typeof store.get>) => {
    read += 1;
    return store.get(...args);
  };
  const kit = openStrictKit({ store: { ...store, list, get } });
  const { context } = kit.server;
  const table = context.records.open.plain<Waiting>("waiting");
  const openRows = () =>
    createDueRows<Waiting>(context, {
      ...{ kind: "waiting", table },
      idOf: ({ id }) => id,
      groupOf: ({ id }) => id.charAt(0),
      ownerOf: ({ owner }) => owner,
    });
  const rows = openRows();
  const add = async (id: string, seconds: number, owner = "app") => {
    const row = { id, owner, dueAt: kit.clock.now + seconds * 1000 };
    await rows.add(row, forever);
    return row;
  };
  const due = async (group = "a") => (await rows.find(group)).map(({ id }) => id);
  const readsOf = async (run: () => Promise<unknown>) => {
    const before = read;
    await run();
    return read - before;
  };
  const leads = async () => (await store.list("waiting-time")).map(([id]) => id);
  return { kit, table, rows, add, due, leads, readsOf, close: () => kit.server.close() };
}

const it = itWith({ withRows: openWaiting });

describe("Rows that wait for a time", () => {
  it.withRows("are found once it has come, the oldest first, each group by itself", async ({ kit, add, due }) => {
    await add("a-late", 2 * minute);
    await add("a-second", 20);
    await add("a-first", 10);
    await add("b-other", 5);
    assertEquals(await due(), []);
    kit.clock.advance(1 * minute);
    assertEquals([await due(), await due("b")], [["a-first", "a-second"], ["b-other"]]);
  });

  it.withRows("are 50 at most, with turns of their owners, and as many are read however many wait", async ({ kit, add, due, readsOf }) => {
    for (let n = 0; n < 60; n++) await add(`a${n}`, n / 100, "down");
    await add("a-of-another", 1, "up");
    for (let n = 0; n < 3000; n++) await add(`a-later${n}`, 1 * day + n);
    kit.clock.advance(1 * minute);
    const found = await due();
    assertEquals([found.length, found.slice(0, 2)], [50, ["a0", "a-of-another"]]);
    const few = await readsOf(due);
    assert(few <= 600, `${few} rows were read`);
  });

  it.withRows("of an owner of thousands delay no other, and its oldest ones still have their turns", async ({ kit, add, due }) => {
    for (let n = 0; n < 3500; n++) await add(`a${n}`, n / 1000, "down");
    await add("a-of-another", 10, "up");
    kit.clock.advance(1 * minute);
    const found = [await due(), await due(), await due()];
    assertEquals(found.map(({ length, 0: oldest }) => [length, oldest]), Array(3).fill([50, "a0"]));
    assertEquals(found.map((ids) => ids.includes("a-of-another")), [true, true, true]);
  });

  it.withRows("of an owner of 20,000 delay no other, and are not read for it", async ({ kit, rows, due, readsOf }) => {
    const start = kit.clock.now;
    for (let n = 0; n < 20_000; n++) {
      await rows.lead({ id: `a${n}`, owner: "down", dueAt: start + n * 5 }, forever);
    }
    await rows.add({ id: "a-of-another", owner: "up", dueAt: start + 100_000 }, forever);
    kit.clock.advance(3 * minute);
    const read = await readsOf(async () => assertEquals(await due(), ["a-of-another"]));
    assert(read < 2500, `${read} rows were read`);
  });

  it.withRows("are not found once they are deleted, and later once they are postponed", async ({ kit, rows, table, add, due }) => {
    const [gone, later] = [await add("a-gone", 10), await add("a-later", 10)];
    await rows.delete(gone);
    const postponed = { ...later, dueAt: later.dueAt + 1 * minute * 1000 };
    await rows.lead(postponed, forever);
    await table.put("a-later", postponed, forever);
    kit.clock.advance(20);
    assertEquals(await due(), []);
    kit.clock.advance(1 * minute);
    assertEquals(await due(), ["a-later"]);
  });

  it.withRows("are found although another process looks for them while they are added", async ({ kit, rows, table, due }) => {
    const row = { id: "a-new", owner: "app", dueAt: kit.clock.now };
    await rows.lead(row, forever);
    kit.clock.advance(59);
    assertEquals(await due(), []);
    await table.add(row.id, row, forever);
    assertEquals(await due(), ["a-new"]);
  });

  it.withRows("are not looked for again a minute after they should have been there", async ({ kit, rows, due, leads }) => {
    await rows.lead({ id: "a-never", owner: "app", dueAt: kit.clock.now }, forever);
    kit.clock.advance(61);
    assertEquals([await due(), await leads()], [[], []]);
  });

  it.withRows("have one time if several processes add them at once", async ({ kit, rows, due, leads }) => {
    const row = { id: "a-once", owner: "app", dueAt: kit.clock.now };
    const added = [];
    for (const late of [0, 0, 5]) {
      added.push(await rows.add({ ...row, dueAt: row.dueAt + late }, forever));
    }
    assertEquals([added, (await leads()).length], [[true, false, false], 1]);
    assertEquals(await due(), ["a-once"]);
  });

  it.withRows("of one owner do not delay those of another, however many are due", async ({ kit, add, due }) => {
    for (let n = 0; n < 1200; n++) await add(`a${n}`, n / 1200, "down");
    await add("a-of-another", 2, "up");
    kit.clock.advance(1 * minute);
    assertEquals((await due()).slice(0, 2), ["a0", "a-of-another"]);
  });

  it.withRows("are read until 50 owners have a turn", async ({ kit, add, due, readsOf }) => {
    for (let n = 0; n < 1000; n++) await add(`a${n}`, n / 1000, `app${n}`);
    kit.clock.advance(1 * minute);
    assertEquals((await due()).length, 50);
    const few = await readsOf(due);
    assert(few <= 160, `${few} rows were read`);
  });

  it.withRows("of one owner are read to a limit", async ({ kit, add, due, readsOf }) => {
    for (let n = 0; n < 3000; n++) await add(`a${n}`, n / 3000);
    kit.clock.advance(1 * minute);
    const few = await readsOf(due);
    assert(few <= 2100, `${few} rows were read`);
  });

  it.withRows("are found behind expired ones that no sweep has deleted", async ({ kit, rows, add, due }) => {
    const { now } = kit.clock;
    for (let n = 0; n < 2500; n++) {
      await rows.add({ id: `a${n}`, owner: "app", dueAt: now + n }, now + 5000);
    }
    await add("a-live", 10);
    kit.clock.advance(1 * minute);
    assertEquals(await due(), ["a-live"]);
  });
});

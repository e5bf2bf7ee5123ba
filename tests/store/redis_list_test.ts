import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { RedisCommand, RedisConnection } from "../../src/server/store/redis/connection.ts";
import { createKeyNames, shardOf, shards } from "../../src/server/store/redis/row_keys.ts";
import { createRowStore } from "../../src/server/store/redis/row_store.ts";
import { createScripts } from "../../src/server/store/redis/scripts.ts";

const keys = createKeyNames("test");

/** Opens a store on rows of one kind in a server that is not there; it counts the commands. */
async function openWith(
  ids: readonly string[],
  gone: readonly string[] = [],
  expiredIn = (key: string): number => key === keys.expiriesOf(shardOf("k", "a")) ? 1 : 0,
) {
  const counts: Record<string, number> = {};
  const inKey = (key: string) => ids.filter((id) => keys.ofRow("k", id).ids === key).sort();
  const rows = new Set(ids.filter((id) => !gone.includes(id)).map((id) => keys.ofRow("k", id).row));

  async function send(_key: string, command: RedisCommand): Promise<unknown> {
    const [name = "", key = "", start = "", end = ""] = command;
    counts[name] = (counts[name] ?? 0) + 1;
    const usedAt = key.endsWith(":used") ? "5" : null;
    if (name === "HMGET") return rows.has(key) ? ["null", "1", usedAt] : [null, null, null];
    if (name === "ZCOUNT") return expiredIn(key);
    if (name !== "ZRANGEBYLEX") return [];
    const isAfter = (id: string) => start === "-" || id > start.slice(1);
    const isBefore = (id: string) => end === "+" || id < end.slice(1);
    const limit = Number(command.at(-1));
    return inKey(key).filter((id) => isAfter(id) && isBefore(id)).slice(0, limit);
  }

  const connection = { send } as RedisConnection;
  const scripts = await createScripts();
  return { counts, store: createRowStore({ connection, keys, scripts, engineExpiry: false }) };
}

/** Ids in all shards. */
const spread = Array.from({ length: 500 }, (_, n) => `${1000 + n}`);

/** Ids that share a shard, as those of one user do. */
const together = spread.map((id) => `user/${id}`);

describe("A row in Redis", () => {
  it("has the columns that the server returns, and its use where there was one", async () => {
    const { store } = await openWith(["new", "used"]);
    const rows = await Promise.all(["new", "used", "gone"].map((id) => store.get("k", id)));
    const row = { value: null, expiresAt: 1 };
    assertEquals(rows, [row, { ...row, usedAt: 5 }, undefined]);
  });
});

describe("A page of rows from all shards of Redis", () => {
  for (const ids of [spread, together]) {
    const shape = ids === spread ? "spread over the shards" : "in one shard";
    for (const limit of [1, 7, 100, 499, 500, 501]) {
      it(`has the first ${limit} rows, ${shape}`, async () => {
        const { store } = await openWith(ids);
        assertEquals((await store.list("k", { limit })).map(([id]) => id), ids.slice(0, limit));
      });
    }

    it(`has the rows of a range, ${shape}`, async () => {
      const { store } = await openWith(ids);
      const [after, before] = [ids[99], ids[301]];
      const listed = await store.list("k", { after, before, limit: 1000 });
      assertEquals(listed.map(([id]) => id), ids.slice(100, 301));
    });
  }

  it("has a hundred rows by default, in one round trip for each shard", async () => {
    const { store, counts } = await openWith(spread);
    assertEquals((await store.list("k")).length, 100);
    assertEquals(counts, { ZRANGEBYLEX: shards.length, HMGET: 100 });
  });

  it("needs no second round trip to know that all rows have come", async () => {
    const { store, counts } = await openWith(spread.slice(0, 5));
    assertEquals((await store.list("k")).length, 5);
    assertEquals(counts, { ZRANGEBYLEX: shards.length, HMGET: 5 });
  });

  it("asks one shard for ids with the same first part", async () => {
    const { store, counts } = await openWith([...spread, ...together]);
    const within = (after: string, before: string) =>
      store.list("k", { after, before, limit: 600 });
    assertEquals((await within("user/", "user/~")).length, 500);
    assertEquals((await within("user/1200", "user/1300")).length, 99);
    assertEquals(counts.ZRANGEBYLEX, 2);
    assertEquals((await within("user/", "user~")).length, 500);
    assert((counts.ZRANGEBYLEX ?? 0) >= 2 + shards.length);
  });

  it("leaves out rows that were deleted meanwhile, and goes on after them", async () => {
    const { store } = await openWith(together, together.slice(0, 450));
    assertEquals(
      (await store.list("k", { limit: 20 })).map(([id]) => id),
      together.slice(450, 470),
    );
  });
});

describe("A sweep of all shards of Redis", () => {
  it("asks only the shards that have expired rows for them", async () => {
    const { store, counts } = await openWith([]);
    assertEquals(await store.sweep(5), 0);
    assertEquals(counts, { ZCOUNT: shards.length, ZRANGEBYSCORE: 1 });
  });

  it("asks no more of them than the limit needs", async () => {
    const { store, counts } = await openWith([], [], () => 3);
    await store.sweep(5, 7);
    assertEquals(counts, { ZCOUNT: shards.length, ZRANGEBYSCORE: 3 });
  });
});

const tags = "10 113 21 3 61 72 50 43 11 112 20 2 60 73 51 42 " +
  "12 111 23 1 63 70 52 41 13 110 22 0 62 71 53 40";

describe("The shards of Redis", () => {
  it("never change: rows would not be found again", () => {
    assertEquals(shards.join(" "), tags);
    const ids = [["code", "a"], ["code", "a/b"], ["user", "dora"], ["\u{1f511}", "é"]] as const;
    assertEquals(ids.map(([kind, id]) => shardOf(kind, id)), ["23", "23", "71", "73"]);
  });
});

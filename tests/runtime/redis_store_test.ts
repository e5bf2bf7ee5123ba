import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { storeContract } from "../../src/lab/testing/mod.ts";
import { redisStore } from "../../src/server/store/redis.ts";
import { createKeyNames } from "../../src/server/store/redis/row_keys.ts";
import { UnreadableStoreError } from "../../src/server/store/store_errors.ts";
import { eventually } from "../support/eventually.ts";
import { redisMissing, startRedis, startRedisCluster } from "../support/redis_server.ts";

const skip = redisMissing;

// Outside of the tests, which share them. They end with this process.
const server = await start(startRedis);
const protectedServer = await start(startRedis);
const cluster = await start(startRedisCluster);
const master = await start(startRedis);
await start(() => startRedis("--replicaof", "127.0.0.1", `${master.port}`));
/** A node of a Cluster that nobody has made yet. */
const slotless = await start(() => startRedis("--cluster-enabled", "yes"));

const week = 7 * 24 * 60 * 60 * 1000;
const year = 365 * 24 * 60 * 60 * 1000;

let lastPrefix = 0;

/** Opens an empty store. */
function openEmpty(url: string) {
  return redisStore(`${url}?prefix=test${lastPrefix++}`);
}

describe("The Redis store on one server", () => {
  for (const { name, check } of storeContract(() => openEmpty(server.url))) {
    it(name, { skip }, check);
  }

  it(
    "keeps every acknowledged write when the server is killed, and recovers by itself",
    { skip },
    async () => {
      const store = await openEmpty(server.url);
      await store.put("code", "1", { value: "kept", expiresAt: year });
      assert(await store.consume("code", "1", 5, year));
      await server.kill();
      await assertRejects(() => store.get("code", "1"));
      await server.start();
      const row = await eventually(() => store.get("code", "1"));
      assertEquals(row, { value: "kept", expiresAt: year, usedAt: 5 });
      assertEquals(await store.consume("code", "1", 6, year), false);
      await store.close();
    },
  );

  it(
    "marks rows of the version before as its own, which earlier commands refuse, while servers go on",
    { skip },
    async () => {
      const url = `${server.url}?prefix=earlier`;
      const running = await redisStore(url);
      await server.cli("SET", "earlier:format", "hallpass 1");
      const store = await redisStore(url);
      assertEquals((await server.cli("GET", "earlier:format")).trim(), "hallpass 2");
      await running.put("user", "ada", { value: 1, expiresAt: year });
      assertEquals((await store.list("user")).map(([id]) => id), ["ada"]);
      await Promise.all([running.close(), store.close()]);
    },
  );

  it("V3: names a damaged row, and reads the others", { skip }, async () => {
    const prefix = `test${lastPrefix}`;
    const store = await openEmpty(server.url);
    for (const id of ["u/app", "u/web"]) await store.put("a", id, { value: id, expiresAt: year });
    await server.cli("HSET", createKeyNames(prefix).ofRow("a", "u/app").row, "value", '{"id":');
    const reads = [
      () => store.get("a", "u/app"),
      () => store.list("a"),
      async () => await store.batch?.([["get", "a", "u/web"], ["get", "a", "u/app"]]),
      async () => await store.batch?.([["list", "a", { after: "u/", before: "u/~" }]]),
    ];
    for (const read of reads) {
      const { message } = await assertRejects(read, UnreadableStoreError);
      assertEquals(message, "The row 'a u/app' in the store is damaged; restore a backup.");
    }
    assertEquals((await store.get("a", "u/web"))?.value, "u/web");
    await store.close();
  });

  it("fails a call after five seconds while the server hangs, and recovers", { skip }, async () => {
    const store = await openEmpty(server.url);
    server.signal("SIGSTOP");
    // A timer of this process is as late as those of the store.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise((resolve) => timer = setTimeout(resolve, 20_000));
    await assertRejects(() => Promise.race([store.get("a", "1"), tooLate]));
    clearTimeout(timer);
    server.signal("SIGCONT");
    assertEquals(await eventually(() => store.get("a", "1")), undefined);
    await store.close();
  });

  it(
    "makes the calls of a batch with one script, which a list of one user can be in",
    { skip },
    async () => {
      const store = await openEmpty(server.url);
      const row = (value: unknown) => ({ value, expiresAt: year });
      const calls = async () =>
        Number(/cmdstat_evalsha?:calls=(\d+)/.exec(await server.cli("INFO", "commandstats"))?.[1]);
      await store.batch?.([["add", "a", "known", row(1)]]);
      const before = await calls();
      const results: unknown = await store.batch?.([
        ["list", "a", { after: "u/", before: "u/~" }],
        ["put", "a", "u/2", row("two")],
        ["add", "a", "u/1", row("one")],
        ["add", "a", "v/1", row("other")],
        ["consume", "a", "u/2", 5, year],
        ["list", "a", { after: "u/", before: "u/~" }],
        ["list", "a", { after: "u/1", before: "u/~", limit: 1 }],
        ["delete", "a", "u/2"],
        ["get", "a", "u/2"],
      ]);
      const used = { ...row("two"), usedAt: 5 };
      assertEquals(results, [
        ...[[], true, true, true, true],
        [["u/1", row("one")], ["u/2", used]],
        ...[[["u/2", used]], undefined, undefined],
      ]);
      assertEquals(await calls() - before, 1);
      await store.close();
    },
  );

  it(
    "lets Redis delete a row a week after its expiry, if asked to: its clock may jump",
    { skip },
    async () => {
      const url = `${server.url}?prefix=expiring`;
      const store = await redisStore(url, { engineExpiry: true });
      const expiresAt = Date.now() + year;
      await store.put("a", "b", { value: null, expiresAt });
      const [key = ""] = (await server.cli("KEYS", "expiring:*row*")).trim().split("\n");
      const expectedAt = async () => Number(await server.cli("PEXPIRETIME", key));
      assertEquals(await expectedAt(), expiresAt + week);
      await store.consume("a", "b", 1, expiresAt + year);
      assertEquals(await expectedAt(), expiresAt + year + week);
      await store.close();
    },
  );
});

describe("The Redis store on a Cluster", () => {
  for (const { name, check } of storeContract(() => openEmpty(cluster.url))) {
    it(name, { skip }, check);
  }

  it("has no batches: the keys of a script must be in one place", { skip }, async () => {
    const store = await openEmpty(cluster.url);
    assertEquals(store.batch, undefined);
    await store.close();
  });

  it("spreads its rows evenly over the hash slots", { skip }, async () => {
    const store = await redisStore(`${cluster.url}?prefix=spread`);
    for (let n = 0; n < 300; n++) await store.put("a", `${n}`, { value: n, expiresAt: year });
    await store.close();
    const [{ cli } = server] = cluster.nodes;
    const keys = await Promise.all(cluster.nodes.map(({ cli }) => cli("KEYS", "spread:{*")));
    const tags = new Set(keys.join("\n").match(/(?<=\{)[^}]*(?=\})/g));
    const slots = await Promise.all(
      [...tags].map(async (tag) => Number(await cli("CLUSTER", "KEYSLOT", tag))),
    );
    const shares = slots.map((slot) => Math.floor(slot / (16384 / slots.length)));
    assertEquals(shares.toSorted((one, other) => one - other), [...shares.keys()]);
  });

  it("is refused while it does not serve all of its slots", { skip }, async () => {
    await assertRejects(() => redisStore(slotless.url), Error, "does not serve all of its slots");
  });

  it("has one database", { skip }, async () => {
    const [node] = cluster.nodes;
    await assertRejects(() => redisStore(`${node?.url}/1`), Error, "only the database 0");
    await (await redisStore(`${node?.url}/0`)).close();
  });

  it("lists and sweeps thousands of rows on all masters", { skip }, async () => {
    const store = await openEmpty(cluster.url);
    const ids = Array.from({ length: 1000 }, (_, n) => `${n}`);
    await Promise.all(ids.map((id) => store.put("k", id, { value: id, expiresAt: 1 })));
    for (const { cli } of cluster.nodes) assert(Number(await cli("DBSIZE")) > 200);
    const listed = (await store.list("k", { limit: 1000 })).map(([id]) => id);
    assertEquals(listed, ids.toSorted());
    assertEquals([await store.sweep(2, 600), await store.sweep(2, 600)], [600, 400]);
    assertEquals(await store.list("k"), []);
    await store.close();
  });

  it("finds all masters through one of them", { skip }, async () => {
    const store = await redisStore(cluster.nodes[1]?.url ?? "");
    assertEquals(await store.get("a", "b"), undefined);
    await store.close();
  });
});

describe("Opening a Redis store", () => {
  const server = protectedServer;

  it("takes a password", { skip }, async () => {
    await server.cli("CONFIG", "SET", "requirepass", "correct-horse");
    await (await redisStore(at(":correct-horse@"))).close();
  });

  const at = (userInfo: string, rest = "") => `redis://${userInfo}127.0.0.1:${server.port}${rest}`;

  const refusals: Record<string, [url: () => string, message: RegExp]> = {
    "a wrong password": [() => at(":wrong@"), /password is wrong\.$/],
    "no password": [() => at(""), /asks for a password/],
    "a database that does not exist": [() => at(":correct-horse@", "/99"), /no database with/],
    "a port without a server": [() => "redis://:secret@127.0.0.1:1", /connection was refused/],
    "a host without an address": [() => "redis://redis.invalid", /host was not found/],
    "several hosts that are no Cluster": [
      () => `${at(":correct-horse@")},127.0.0.1:${server.port}`,
      /this is a single server/,
    ],
    "a URL with an unknown parameter": [() => at("", "?cluster=true"), /this one is cluster/],
    "a URL without a host": [() => "redis://", /redis:\/\/HOST:PORT/],
  };
  for (const [name, [url, message]] of Object.entries(refusals)) {
    it(`names the problem and no password with ${name}`, { skip }, async () => {
      const error = await assertRejects(() => redisStore(url()), Error, "Cannot open the");
      assert(message.test(error.message), error.message);
      assert(!/correct-horse|secret|:wrong/.test(error.message), error.message);
      assertEquals(error.message.split("\n").length, 1);
    });
  }

  const unsuitable: Record<string, [setting: string[], undo: string[], message: RegExp]> = {
    "that drops rows": [
      ["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"],
      ["CONFIG", "SET", "maxmemory-policy", "noeviction"],
      /maxmemory-policy allkeys-lru/,
    ],
    "that is a replica": [["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"], /replica/],
    "with rows of a newer version": [
      ["SET", "hallpass:format", "hallpass 99"],
      ["DEL", "hallpass:format"],
      /version 99/,
    ],
  };
  for (const [what, value] of [["text", ["SET"]], ["another type", ["LPUSH"]]] as const) {
    unsuitable[`Y4: with a mark of another application (${what})`] = [
      [...value, "hallpass:format", "1"],
      ["DEL", "hallpass:format"],
      /the key hallpass:format is of another application, or in a form .* Name another prefix: \?prefix=NAME\.$/,
    ];
  }
  for (const [name, [setting, undo, message]] of Object.entries(unsuitable)) {
    it(`refuses a server ${name}, writes nothing, and leaves`, { skip }, async () => {
      const cli = (...command: string[]) => server.cli("-a", "correct-horse", ...command);
      await cli(...setting);
      const size = await cli("DBSIZE");
      const error = await assertRejects(() => redisStore(at(":correct-horse@")), Error);
      assert(message.test(error.message), error.message);
      assertEquals(await cli("DBSIZE"), size);
      await cli(...undo);
      // The one that asks is the only one left.
      await eventually(async () =>
        assertEquals((await cli("CLIENT", "LIST")).trim().split("\n").length, 1)
      );
    });
  }

  it("refuses a user who may not write, and names the commands", { skip }, async () => {
    const rules = ["on", ">pw", "~*", "+@read", "+@connection", "+@scripting", "+info"];
    await server.cli("-a", "correct-horse", "ACL", "SETUSER", "reader", ...rules);
    const error = await assertRejects(() => redisStore(at("reader:pw@")), Error);
    assert(/may not run DEL, HSET, PERSIST/.test(error.message), error.message);
  });

  it("warns of settings that lose writes in a crash", { skip }, async () => {
    const cli = (...command: string[]) => server.cli("-a", "correct-horse", ...command);
    for (const [name, value] of [["appendfsync", "everysec"], ["appendonly", "no"]] as const) {
      await cli("CONFIG", "SET", name, value);
      const store = await redisStore(at(":correct-horse@"));
      assert(store.warnings?.[0]?.includes("become valid again"));
      assertEquals(store.name, at(""));
      await store.close();
    }
  });

  it("R4: warns of a master that goes on without its replica", { skip }, async () => {
    while (!(await master.cli("INFO", "replication")).includes("state=online")) continue;
    for (const count of [1, 0]) {
      const store = await redisStore(master.url);
      assertEquals(store.warnings?.length, count, `${store.warnings}`);
      await store.close();
      await master.cli("CONFIG", "SET", "min-replicas-to-write", "1");
    }
  });
});

/** Starts something that needs the missing program, or returns what no test will use. */
async function start<T>(open: () => Promise<T>): Promise<T> {
  return redisMissing ? {} as T : await open();
}

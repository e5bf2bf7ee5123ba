import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { Config } from "../../src/server/features.ts";
import { keysOfAlgorithm } from "../../src/server/issuer/keys/key_ring.ts";
import {
  maintainKeys,
  planRotation,
  retireKey,
  rotateKey,
} from "../../src/server/issuer/keys/rotate_keys.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { readIdTokenHint } from "../../src/server/issuer/requests/id_token_hint.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { itWith } from "../support/it_with.ts";
import { makeKeyPair } from "../support/key_pairs.ts";
import { type Kit, openKit, read, startOfTime } from "../support/kit.ts";
import { present } from "../support/present.ts";

const it = itWith({ withKeys: () => openKeys() });

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Two processes on one store and one clock, or one alone. */
function openKeys(
  config: Partial<Config> = {},
  store: Store = memoryStore(),
): { one: Kit; other: Kit } {
  const clock = { now: startOfTime };
  const shared = { alg: "ES256" as const, idTokenAlgs: [], store, now: () => clock.now, ...config };
  const [one, other] = [openKit(shared), openKit(shared)];
  const advance = (seconds: number) => void (clock.now += seconds * 1000);
  for (const kit of [one, other]) kit.clock.advance = advance;
  return { one, other };
}

async function shownKids(kit: Kit, alg = "ES256"): Promise<string[]> {
  const { body } = await read(await kit.get("/oauth2/jwks"));
  return body.keys.filter((key: { alg: string }) => key.alg === alg).map((
    { kid }: { kid: string },
  ) => kid);
}

function kidOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? "";
}

async function stands(kit: Kit, token: string): Promise<boolean> {
  return (await kit.userinfo(token)).status === 200;
}

describe("Rotating keys by hand", () => {
  const signsFrom = async ({ server: { context } }: Kit) =>
    keysOfAlgorithm("ES256", await context.keys.list())
      .map(({ from = 0 }) => (from - startOfTime) / 1000);

  it.withKeys("I10: makes one key, and names the one that waits from then on", async ({ one }) => {
    const { context } = one.server;
    await one.tokens();
    assertEquals(await planRotation(context), { algs: ["ES256", "RS256"], waiting: [] });
    await rotateKey(context);
    one.clock.advance(minute);
    const { algs, waiting } = await planRotation(context);
    assertEquals([algs, waiting.map(({ id }) => id)], [[], ["ES256/1", "RS256/1"]]);
    await rotateKey(context);
    assertEquals(await signsFrom(one), [0, day]);
    one.clock.advance(day);
    assertEquals((await planRotation(context)).algs, ["ES256", "RS256"]);
  });

  it("R3: makes a key although one waits that was made while a clock was ahead", async () => {
    const { one, other } = openKeys({ keyRotation: "never" });
    await one.tokens();
    const ahead = openKit({
      ...{ alg: "ES256", idTokenAlgs: [], store: one.server.context.settings.store },
      now: () => startOfTime + 40 * hour * 1000,
    });
    await rotateKey(ahead.server.context);
    one.clock.advance(2 * minute);
    await rotateKey(other.server.context);
    await rotateKey(one.server.context);
    assertEquals(await signsFrom(one), [0, day + 2 * minute, 64 * hour]);
  });

  it.withKeys("does not count what the clocks of two servers may differ", async ({ one }) => {
    await one.tokens();
    const { alg, ...settings } = { alg: "ES256" as const, idTokenAlgs: [] };
    const store = one.server.context.settings.store;
    const ahead = openKit({ alg, ...settings, store, now: () => startOfTime + 59_000 });
    await rotateKey(ahead.server.context);
    one.clock.advance(minute);
    await rotateKey(one.server.context);
    assertEquals((await signsFrom(one)).length, 2);
  });

  it.withKeys("leaves keys of the configuration alone", async ({ one }) => {
    await one.tokens();
    const { privateJwk: jwk } = await makeKeyPair("ES256");
    const signingKeys = [{ jwk, alg: "ES256" as const }];
    const { other } = openKeys({ signingKeys }, one.server.context.settings.store);
    assertEquals(await planRotation(other.server.context), { algs: ["RS256"], waiting: [] });
  });
});

describe("Keys that follow each other (OpenID Connect Core, section 10.1.1)", () => {
  /** Sends tokens that name keys which do not exist. */
  async function sendUnknownKids(kit: Kit, count: number): Promise<void> {
    const payload = btoa("{}").replace(/=/g, "");
    const tokens = Array.from({ length: count }, (_, n) => {
      const header = btoa(JSON.stringify({ alg: "ES256", kid: `none-${n}` })).replace(/=/g, "");
      return `${header}.${payload}.${"A".repeat(86)}`;
    });
    for (const token of tokens) assertEquals(await stands(kit, token), false);
  }

  it.withKeys("S13: a new one is found, however many others a sender has made up", async ({ one, other }) => {
    const first = kidOf((await other.tokens()).access_token);
    await sendUnknownKids(other, 30);
    await one.server.context.keys.extend("ES256", () => one.clock.now);
    const { access_token } = await one.tokens();
    assertNotEquals(kidOf(access_token), first);
    assert(await stands(other, access_token));
  });

  it("S13: those that come together share a read of the store", async () => {
    const store = memoryStore();
    let reads = 0;
    const list: Store["list"] = async (kind, page) => {
      if (kind === "key") reads++;
      return await store.list(kind, page);
    };
    const { one } = openKeys({}, { ...store, list });
    await one.tokens();
    reads = 0;
    await Promise.all(Array.from({ length: 50 }, () => sendUnknownKids(one, 1)));
    assert(reads <= 5, `${reads} reads`);
  });

  it.withKeys("O11 oidcc-server-rotate-keys: the next one is shown before it signs, the last one as long as its tokens live", async ({ one }) => {
    const old = (await one.tokens()).access_token;
    await rotateKey(one.server.context, "ES256");
    const [first, next] = await shownKids(one);
    assertEquals([first, kidOf((await one.tokens()).access_token)], [kidOf(old), kidOf(old)]);
    one.clock.advance(day - minute);
    const last = (await one.tokens()).access_token;
    one.clock.advance(minute);
    assertEquals([kidOf(last), kidOf((await one.tokens()).access_token)], [first, next]);
    one.clock.advance(hour - 2 * minute);
    assertEquals([await stands(one, last), await shownKids(one)], [true, [first, next]]);
    one.clock.advance(3 * minute);
    assertEquals(await shownKids(one), [next]);
  });

  it.withKeys("leave the key set when their time is over, though no row has changed, and come back with the clock", async ({ one }) => {
    await one.tokens();
    await rotateKey(one.server.context, "ES256");
    const [first, next] = await shownKids(one);
    one.clock.advance(day + hour + minute - 20);
    assertEquals(await shownKids(one), [first, next]);
    one.clock.advance(30);
    assertEquals(await shownKids(one), [next]);
    one.clock.advance(-30);
    assertEquals(await shownKids(one), [first, next]);
  });

  it("O11 follow by themselves, on the way of requests", async () => {
    const { one } = openKeys({ keyRotation: "90d" });
    const first = kidOf((await one.tokens()).access_token);
    one.clock.advance(89 * day);
    await maintainKeys(one.server.context);
    const [, next] = await shownKids(one);
    assertEquals(kidOf((await one.tokens()).access_token), first);
    one.clock.advance(day);
    assertEquals(kidOf((await one.tokens()).access_token), next);
    await maintainKeys(one.server.context);
    assertEquals(
      (await one.server.context.keys.list()).filter(({ alg }) => alg === "ES256").length,
      2,
    );
  });

  it("O11 are made after a request, without any timer", async () => {
    const made = Promise.withResolvers<void>();
    const { one } = openKeys({
      keyRotation: "90d",
      onEvent: ({ type }) => type === "key.rotated" && made.resolve(),
    });
    await one.tokens();
    one.clock.advance(100 * day);
    await one.get("/health");
    await made.promise;
  });

  it("O11 have their overlap even if no request came in time", async () => {
    const { one } = openKeys({ keyRotation: "90d" });
    const first = kidOf((await one.tokens()).access_token);
    one.clock.advance(400 * day);
    await maintainKeys(one.server.context);
    assertEquals(kidOf((await one.tokens()).access_token), first);
    one.clock.advance(day);
    assertNotEquals(kidOf((await one.tokens()).access_token), first);
  });

  it("stay for ever where that is asked for", async () => {
    const { one } = openKeys({ keyRotation: "never" });
    await one.tokens();
    one.clock.advance(4000 * day);
    await maintainKeys(one.server.context);
    assertEquals((await shownKids(one)).length, 1);
  });

  it.withKeys("O13 verify a hint longer than a token, and are dropped in the end", async ({ one }) => {
    const { id_token } = await one.tokens();
    const ctx = one.server.context;
    await rotateKey(ctx, "RS256");
    one.clock.advance(20 * day);
    await maintainKeys(ctx);
    assertEquals((await readIdTokenHint(ctx, id_token))?.subject, "alice");
    one.clock.advance(20 * day);
    await maintainKeys(ctx);
    assertEquals(await readIdTokenHint(ctx, id_token), undefined);
    assert(
      one.events.some((event) => event.type === "key.retired" && event.kid === kidOf(id_token)),
    );
  });

  it.withKeys("are one line for all processes on a store, however many turn at once", async ({ one, other }) => {
    await Promise.all([one.tokens(), other.tokens()]);
    await Promise.all([
      rotateKey(one.server.context),
      rotateKey(other.server.context),
      rotateKey(other.server.context),
    ]);
    assertEquals((await shownKids(one)).length, 2);
    one.clock.advance(day);
    const tokens = [(await one.tokens()).access_token, (await other.tokens()).access_token];
    assertEquals(kidOf(present(tokens[0])), kidOf(present(tokens[1])));
    assertEquals(await stands(one, present(tokens[1])), true);
    assertEquals(await stands(other, present(tokens[0])), true);
  });

  it.withKeys("go on where a clock is put back behind them", async ({ one }) => {
    const first = kidOf((await one.tokens()).access_token);
    one.clock.advance(-30 * day);
    assertEquals(kidOf((await one.tokens()).access_token), first);
  });

  it("differ in a lab from one generation to the next", async () => {
    const kit = openKit();
    for (let generation = 0; generation < 3; generation++) {
      await kit.get("/oauth2/jwks");
      await rotateKey(kit.server.context);
      kit.clock.advance(day);
    }
    const { body } = await read(await kit.get("/oauth2/jwks"));
    const material = body.keys.map(({ n, x }: { n?: string; x?: string }) => n ?? x);
    assertEquals(new Set(material).size, material.length);
    assertEquals(body.keys.every(({ kid }: { kid: string }) => kid.startsWith("TEST-ONLY-")), true);
    assert(material.length >= 8);
  });

  it("must not be due before they sign", async () => {
    const config = {
      issuer: "https://hallpass.test",
      keyRotation: "12h",
      keyOverlap: "1d",
    } as const;
    await assertRejects(
      async () => openKit(config),
      ConfigError,
      "keyRotation must be longer than keyOverlap",
    );
  });
});

describe("A key in wrong hands", () => {
  it.withKeys("is worth nothing at once, though its tokens were seen before, and another one signs", async ({ one }) => {
    const { access_token } = await one.tokens();
    assertEquals(await stands(one, access_token), true);
    assertEquals(await retireKey(one.server.context, kidOf(access_token)), true);
    assertEquals(await stands(one, access_token), false);
    const fresh = (await one.tokens()).access_token;
    assertEquals([await stands(one, fresh), await shownKids(one)], [true, [kidOf(fresh)]]);
    assertEquals(await retireKey(one.server.context, "unknown"), false);
  });

  it.withKeys("is worth nothing to another process within a minute, which takes tokens of the new one at once", async ({ one, other }) => {
    const { access_token } = await one.tokens();
    assertEquals(await stands(other, access_token), true);
    await retireKey(one.server.context, kidOf(access_token));
    assertEquals(await stands(other, (await one.tokens()).access_token), true);
    one.clock.advance(minute);
    assertEquals(await stands(other, access_token), false);
  });

  it.withKeys("does not stop one that waits already", async ({ one }) => {
    const ctx = one.server.context;
    const first = kidOf((await one.tokens()).access_token);
    await rotateKey(ctx, "ES256");
    const [, waiting] = await shownKids(one);
    await retireKey(ctx, first);
    assertEquals([first, waiting].includes(kidOf((await one.tokens()).access_token)), false);
    one.clock.advance(day);
    assertEquals(kidOf((await one.tokens()).access_token), waiting);
  });
});

describe("A key in memory", () => {
  /** A server with two keys, and the ids of both. */
  async function openWithTwoKeys(): Promise<{ kit: Kit; kids: string[] }> {
    const { one: kit } = openKeys();
    await kit.tokens();
    await rotateKey(kit.server.context, "ES256");
    return { kit, kids: await shownKids(kit) };
  }

  it("is decrypted and imported once, however often the rows are read", async () => {
    const { kit, kids: [first = "", next = ""] } = await openWithTwoKeys();
    const { keys } = kit.server.context;
    const before = await Promise.all([keys.find(first), keys.find(next)]);
    kit.clock.advance(2 * minute);
    await keys.list();
    const after = await Promise.all([keys.find(first), keys.find(next)]);
    assert(before.every((key, at) => key !== undefined && key === after[at]));
  });

  it("leaves the memory when its row is deleted", async () => {
    const { kit, kids: [, next = ""] } = await openWithTwoKeys();
    const { keys, records } = kit.server.context;
    const before = await keys.find(next);
    const { id, ...row } = present((await keys.list()).find(({ kid }) => kid === next));
    await keys.drop({ id, ...row });
    assertEquals(await keys.find(next), undefined);
    await records.keys.put(id, row, forever);
    kit.clock.advance(2 * minute);
    const restored = await keys.find(next);
    assert(restored !== undefined && restored !== before);
  });
});

describe("An unknown kid", () => {
  it("S13: has the keys read anew once, as an unknown opaque token has its row read", async () => {
    const inner = memoryStore();
    let lists = 0;
    const list: Store["list"] = (kind, page) => {
      if (kind === "key") lists++;
      return inner.list(kind, page);
    };
    const { one } = openKeys({}, { ...inner, list });
    await one.tokens();
    lists = 0;
    const header = (kid: string) =>
      btoa(JSON.stringify({ alg: "ES256", typ: "at+jwt", kid })).replaceAll("=", "");
    for (let at = 0; at < 100; at++) {
      assertEquals(await stands(one, `${header(`k${at}`)}.e30.AAAA`), false);
    }
    assert(lists <= 100, `${lists} lists`);
  });
});

describe("A key that signs and is missing in the store", () => {
  const lost = ({ events }: Kit) =>
    events.flatMap((event) =>
      event.type === "key.lost" && event.alg === "ES256" ? [event.kid] : []
    );

  /** Two servers that have signed with the same key. */
  async function openSigned() {
    const store = memoryStore();
    const { one, other } = openKeys({}, store);
    const tokens = [await one.tokens(), await other.tokens()];
    const [kid] = tokens.map(({ access_token }) => kidOf(access_token));
    return { store, one, other, kid: present(kid) };
  }

  it("is reported by each server that knew it, also after another one has made the first key", async () => {
    const { store, one, other, kid } = await openSigned();
    for (const [id] of await store.list("key")) await store.delete("key", id);
    one.clock.advance(minute);
    for (const _ of [1, 2]) await Promise.all([one.tokens(), other.tokens()]);
    assertEquals([lost(one), lost(other)], [[kid], [kid]]);
    assertEquals(await shownKids(one), await shownKids(other));
  });

  it("is reported if an earlier state of the store came back", async () => {
    const { store, one } = await openSigned();
    await rotateKey(one.server.context);
    one.clock.advance(day);
    const kid = kidOf((await one.tokens()).access_token);
    await store.delete("key", "ES256/1");
    one.clock.advance(minute);
    await one.tokens();
    assertEquals(lost(one), [kid]);
  });

  it("is not reported if it was removed, or had been replaced", async () => {
    const { one, other, kid } = await openSigned();
    await retireKey(one.server.context, kid);
    one.clock.advance(minute);
    await other.tokens();
    await rotateKey(one.server.context);
    const next = present((await shownKids(one)).at(-1));
    await retireKey(one.server.context, next);
    one.clock.advance(minute);
    await other.tokens();
    assertEquals([lost(one), lost(other)], [[], []]);
  });
});

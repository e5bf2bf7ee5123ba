import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { freeOfCharge } from "../../../src/server/features/documents/client_documents.ts";
import { createDocumentCache } from "../../../src/server/features/documents/document_cache.ts";
import { limitExceeded, limitRules } from "../../../src/server/issuer/limits/limit_rules.ts";
import type { Client } from "../../../src/server/model/client.ts";

const id = "https://app.example/client.json";
const minute = 60 * 1000;

/** A cache whose documents fail to be read for a reason, until it is undefined. */
function openCache(reason?: Error) {
  const state = { now: 0, reads: 0, reason };
  const cache = createDocumentCache(() => state.now, (url) => {
    state.reads++;
    if (state.reason) return Promise.reject(state.reason);
    const name = url.includes("large") ? "n".repeat(100_000) : "";
    return Promise.resolve({ id: url, name } as Partial<Client> as Client);
  });
  const read = () => cache.read(id, freeOfCharge(undefined));
  return { state, cache, read };
}

describe("A cache of documents", () => {
  it("reads a document once for all who ask at the same time", async () => {
    const { state, cache, read } = openCache();
    assertEquals((await Promise.all([read(), read()])).map((client) => client.id), [id, id]);
    assertEquals([state.reads, cache.get(id)?.id], [1, id]);
    cache.delete(id);
    assertEquals(cache.get(id), undefined);
  });

  it("remembers a failure for a minute", async () => {
    const { state, cache, read } = openCache(new Error("The site is down."));
    assertEquals(cache.hasJustFailed(id), false);
    await assertRejects(read, Error, "down");
    assertEquals(cache.problemOf(id), "The site is down.");
    state.now = minute - 1;
    assertEquals(cache.hasJustFailed(id), true);
    state.now = minute;
    assertEquals(cache.hasJustFailed(id), false);
  });

  it("Q5: of one sender pushes out that sender's own documents, and nobody else's", async () => {
    const { cache } = openCache();
    await cache.read(id, freeOfCharge("office"));
    for (let n = 0; n < 200; n++) {
      await cache.read(`https://large${n}.example/`, freeOfCharge("attacker"));
    }
    const kept = ["https://large0.example/", "https://large199.example/", id]
      .map((url) => cache.get(url) !== undefined);
    assertEquals(kept, [false, true, true]);
  });

  it("Q5: remembers failures in a limited amount of memory", async () => {
    const { cache } = openCache(new Error("e".repeat(100_000)));
    for (let n = 0; n < 20; n++) {
      await assertRejects(() => cache.read(`${id}?${n}`, freeOfCharge("attacker")));
    }
    const known = Array.from({ length: 20 }, (_, n) => cache.hasJustFailed(`${id}?${n}`));
    assertEquals(known.at(0), false);
    assertEquals(known.at(-1), true);
    assertEquals(known.filter(Boolean).length < 6, true);
  });

  it("does not take our own limits for a failure of the site", async () => {
    const { cache, read } = openCache(limitExceeded(limitRules.fetches));
    await assertRejects(read);
    assertEquals([cache.hasJustFailed(id), cache.problemOf(id)], [false, undefined]);
  });
});

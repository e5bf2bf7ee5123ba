import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { freeOfCharge } from "../../../src/server/features/documents/client_documents.ts";
import { createDocumentCache } from "../../../src/server/features/documents/document_cache.ts";
import { limitExceeded, limitRules } from "../../../src/server/issuer/limits/limit_rules.ts";
import type { Client } from "../../../src/server/model/client.ts";
import { documentUrl as id } from "./document_kit.ts";

/** A cache whose documents are large where their URL says so, or fail to be read for a reason. */
function openCache(reason?: Error) {
  return createDocumentCache(() => 0, async (url) => {
    if (reason) throw reason;
    const name = url.includes("large") ? "n".repeat(100_000) : "";
    return { id: url, name } as Partial<Client> as Client;
  });
}

describe("A cache of documents", () => {
  it("Q5: of one sender pushes out that sender's own documents, and nobody else's", async () => {
    const cache = openCache();
    await cache.read(id, freeOfCharge("office"));
    for (let n = 0; n < 200; n++) {
      await cache.read(`https://large${n}.example/`, freeOfCharge("attacker"));
    }
    const kept = ["https://large0.example/", "https://large199.example/", id]
      .map((url) => cache.get(url) !== undefined);
    assertEquals(kept, [false, true, true]);
  });

  it("Q5: remembers failures in a limited amount of memory", async () => {
    const cache = openCache(new Error("e".repeat(100_000)));
    for (let n = 0; n < 20; n++) {
      await assertRejects(() => cache.read(`${id}?${n}`, freeOfCharge("attacker")));
    }
    const known = Array.from({ length: 20 }, (_, n) => cache.hasJustFailed(`${id}?${n}`));
    assertEquals([known.at(0), known.at(-1)], [false, true]);
    assertEquals(known.filter(Boolean).length < 6, true);
  });

  it("does not take our own limits for a failure of the site", async () => {
    const cache = openCache(limitExceeded(limitRules.fetches));
    await assertRejects(() => cache.read(id, freeOfCharge(undefined)));
    assertEquals([cache.hasJustFailed(id), cache.problemOf(id)], [false, undefined]);
  });
});

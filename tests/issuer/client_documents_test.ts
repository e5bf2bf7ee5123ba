import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  findDocumentClient,
  lookUpDocumentClient,
} from "../../src/server/issuer/clients/client_documents.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import type { RequestContext } from "../../src/server/issuer/context.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { contextIn } from "../support/request_context.ts";

const id = "https://app.example/client.json";
const day = 24 * 60 * 60 * 1000;

/** A server that has read a document, and cannot read it again. */
async function openWith(readAt: number, freshUntil: number) {
  const kit = openKit({ fetchUntrusted: () => Promise.reject(new Error("The site is down.")) });
  const ctx = contextIn(kit.server);
  const configured = present(await findClient(ctx, "demo-spa"));
  const document = { readAt: kit.clock.now + readAt, freshUntil: kit.clock.now + freshUntil };
  const client = { ...configured, id, document };
  const cached: RequestContext = { ...ctx, documents: { ...ctx.documents, get: () => client } };
  const store = () => ctx.records.clientDocuments.put(id, client, forever);
  return { kit, ctx, cached, store };
}

describe("A document that was read before", () => {
  it("is found without a fetch until it is stale", async () => {
    const found = async (freshUntil: number) =>
      (await findDocumentClient((await openWith(0, freshUntil)).cached, id))?.id;
    assertEquals([await found(1), await found(0)], [id, undefined]);
  });

  it("is used for a day after it was read, while its site fails", async () => {
    const found = async (readAt: number) => {
      const { cached } = await openWith(readAt, 0);
      const lookUp = async () => (await lookUpDocumentClient(cached, id))?.id;
      return [await lookUp(), await lookUp()];
    };
    assertEquals(await found(1 - day), [id, id]);
    assertEquals(await found(-day), [undefined, undefined]);
  });

  it("is found in the store, where documents are allowed", async () => {
    const { ctx, store } = await openWith(0, 1);
    assertEquals(await findDocumentClient(ctx, id), undefined);
    await store();
    assertEquals((await findDocumentClient(ctx, id))?.id, id);
    assertEquals((await lookUpDocumentClient(ctx, id))?.id, id);
    const settings = { ...ctx.settings, clientMetadataDocuments: false };
    assertEquals(await findDocumentClient({ ...ctx, settings }, id), undefined);
    assertEquals(await lookUpDocumentClient({ ...ctx, settings }, id), undefined);
  });
});

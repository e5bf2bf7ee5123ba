import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { documents } from "../../../src/server/features/documents/feature.ts";
import { documentTables } from "../../../src/server/features/documents/stored_documents.ts";
import type { ClientSource } from "../../../src/server/issuer/active_features.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import type { PartOf, RequestContext } from "../../../src/server/issuer/context.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { contextIn } from "../../support/request_context.ts";

const id = "https://app.example/client.json";
const { find, lookUp } = present(documents.clientSource) as Required<ClientSource>;
const day = 24 * 60 * 60 * 1000;

/** A server that has read a document, and cannot read it again. */
async function openWith(readAt: number, freshUntil: number) {
  const kit = openKit({ fetchUntrusted: () => Promise.reject(new Error("The site is down.")) });
  const ctx = contextIn(kit.server);
  const configured = present(await findClient(ctx, "demo-spa"));
  const document = { readAt: kit.clock.now + readAt, freshUntil: kit.clock.now + freshUntil };
  const client = { ...configured, id, document };
  const partOf: PartOf = (create) => {
    const part = ctx.partOf(create);
    const isCache = typeof part === "object" && part !== null && "hasJustFailed" in part;
    return isCache ? { ...part, get: () => client } : part;
  };
  const cached: RequestContext = { ...ctx, partOf };
  const store = () => documentTables(ctx).clients.put(id, client, forever);
  return { kit, ctx, cached, store };
}

describe("A document that was read before", () => {
  it("is found without a fetch until it is stale", async () => {
    const found = async (freshUntil: number) =>
      (await find((await openWith(0, freshUntil)).cached, id))?.id;
    assertEquals([await found(1), await found(0)], [id, undefined]);
  });

  it("is used for a day after it was read, while its site fails", async () => {
    const found = async (readAt: number) => {
      const { cached } = await openWith(readAt, 0);
      const again = async () => (await lookUp(cached, id))?.id;
      return [await again(), await again()];
    };
    assertEquals(await found(1 - day), [id, id]);
    assertEquals(await found(-day), [undefined, undefined]);
  });

  it("is found in the store, where documents are allowed", async () => {
    const { ctx, store } = await openWith(0, 1);
    assertEquals(await find(ctx, id), undefined);
    await store();
    assertEquals((await find(ctx, id))?.id, id);
    assertEquals((await lookUp(ctx, id))?.id, id);
    const settings = { ...ctx.settings, clientMetadataDocuments: false };
    assertEquals(await find({ ...ctx, settings }, id), undefined);
    assertEquals(await lookUp({ ...ctx, settings }, id), undefined);
  });
});

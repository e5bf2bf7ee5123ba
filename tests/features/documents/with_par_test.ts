import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { openStrictKit } from "../../support/kit.ts";

const redirectUris = ["https://app.example/cb"];

describe("A profile that is newer than the clients in the store, and requires pushed requests", () => {
  it("refuses one that a document described before: the document is read again", async () => {
    const id = "https://app.example/client.json";
    const [redirect_uri] = redirectUris;
    const document = { client_id: id, redirect_uris: redirectUris };
    const config = {
      store: memoryStore(),
      clientMetadataDocuments: true,
      fetchUntrusted: () => Promise.resolve(Response.json(document)),
    };
    const kit = openStrictKit(config);
    const fields = { client_id: id, redirect_uri, scope: "openid" };
    await kit.redeem(await kit.code(fields), fields);
    const strict = openStrictKit({ ...config, profile: "fapi-2.0" });
    assertEquals((await findClient(kit.server.context, id))?.authentication, ["none"]);
    assertEquals(await findClient(strict.server.context, id), undefined);
  });
});

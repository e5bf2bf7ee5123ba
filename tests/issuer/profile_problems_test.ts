import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../src/administration/clients.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { openStrictKit } from "../support/kit.ts";
import { register } from "../support/registration.ts";

const redirectUris = ["https://app.example/cb"];
const weak = { id: "weak", secret: "weak-secret-of-22-chars", redirectUris };
const strong = {
  id: "strong",
  redirectUris,
  authentication: ["private_key_jwt" as const],
  jwksUri: "https://app.example/jwks",
};

describe("A profile that is newer than the clients in the store", () => {
  it("Y8: refuses those that break its rules when they are used, and no others", async () => {
    const store = memoryStore();
    const { context } = openStrictKit({ store }).server;
    const strict = openStrictKit({ store, profile: "fapi-2.0" }).server.context;
    await addClient(context, weak);
    await addClient(strict, strong);
    const known = (ctx: typeof context) =>
      Promise.all(["weak", "strong"].map(async (id) => (await findClient(ctx, id))?.id));
    assertEquals(await known(context), ["weak", "strong"]);
    assertEquals(await known(strict), [undefined, "strong"]);
  });

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

describe("A server that requires pushed requests", () => {
  it("requires them of clients that were stored or registered before, as its metadata says", async () => {
    const config = { store: memoryStore(), registration: "open" as const };
    const before = openStrictKit(config);
    await addClient(before.server.context, { id: "app", redirectUris });
    const { body } = await register(before);
    const after = openStrictKit({ ...config, requirePar: true });
    for (const client_id of ["app", `${body.client_id}`]) {
      const request = { client_id, redirect_uri: redirectUris[0], scope: "openid" };
      const response = await after.ask({ ...request, prompt: "none" });
      const error = response.headers.get("Location") ?? await response.text();
      assertMatch(decodeURIComponent(error), /must send a request_uri/);
      assertEquals((await after.push(request)).status, 201);
    }
  });
});

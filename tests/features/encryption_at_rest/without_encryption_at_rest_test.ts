import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { hmacKey } from "../../../src/server/issuer/keys/secrets_at_rest.ts";
import { memoryStore, type Store } from "../../../src/server/mod.ts";
import { openStrictKit, spa } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const feature = "encryption at rest";
const secret = "a secret that seals, of 32 characters or more";
const clients = [spa()];

/** Opens a server without the feature on the store of one that encrypted everything. */
function openWithout(store: Store) {
  return openStrictKit({ store, clients }, feature);
}

describe("A server without encryption at rest", () => {
  it("does not start on a store that is encrypted", async () => {
    const store = memoryStore();
    await openStrictKit({ store, clients, secret }).tokens({ scope: "openid" });
    const { server } = openWithout(store);
    await assertRejects(() => server.ready(), Error, "The store holds encrypted keys");
  });

  it("signs nothing there, if it is asked before it started", async () => {
    const store = memoryStore();
    const whole = openStrictKit({ store, clients, secret });
    await whole.tokens({ scope: "openid" });
    const code = await whole.code({ scope: "openid" });
    const kit = openWithout(store);
    assertEquals((await kit.redeem(code)).status, 503);
  });

  it("takes no encrypted secret of a client for the key of an HMAC", async () => {
    const store = memoryStore();
    const app = { id: "app", secret: "x".repeat(40), idTokenAlg: "HS256" as const };
    const redirectUris = ["https://app.example/cb"];
    await addClient(openStrictKit({ store, secret }).server.context, { ...app, redirectUris });
    const { context } = openWithout(store).server;
    const { secrets } = present(await context.records.clients.find("app"));
    const key = () => hmacKey(context, "app", present(secrets[0]));
    await assertRejects(key, Error, "The store holds encrypted keys");
  });
});

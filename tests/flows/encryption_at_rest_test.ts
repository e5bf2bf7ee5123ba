import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { addSecret as addClientSecret } from "../../src/server/issuer/admin/client_secrets.ts";
import { add as addClient } from "../../src/server/issuer/admin/clients.ts";
import { createEncryptionAtRest } from "../../src/server/issuer/keys/encryption_at_rest.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { watchedStore } from "../support/stores.ts";

const secret = "a secret that seals, of 32 characters or more";

/** The text that the seal of an earlier version made, without a place: made with `secret`. */
const placeless = async (text: string) => {
  const { encrypt } = createEncryptionAtRest(secret);
  assertMatch(await encrypt(text, ""), /^sealed:2:/);
  return (await encrypt(text, "")).replace("sealed:2:", "sealed:");
};

describe("What is sealed at rest", () => {
  it("L13: opens only where it was sealed for", async () => {
    const encryption = createEncryptionAtRest(secret);
    const sealed = await encryption.encrypt("a key", "key one");
    assertEquals(await encryption.decrypt(sealed, "key one"), "a key");
    await assertRejects(() => encryption.decrypt(sealed, "key two"), Error, "another secret");
  });

  it("L13: opens what an earlier version sealed for no place, and counts it as outdated", async () => {
    const encryption = createEncryptionAtRest(secret);
    const sealed = await placeless("a key");
    assertEquals([await encryption.decrypt(sealed, "key one"), encryption.isOutdated(sealed)], [
      "a key",
      true,
    ]);
    assertEquals(encryption.isOutdated(await encryption.encrypt("a key", "key one")), false);
  });

  it("L13: is sealed for its place when a server with a secret starts: keys, the server's own secret, secrets of clients", async () => {
    const store = memoryStore();
    const before = openKit({ store });
    const client = {
      id: "app",
      secret: "x".repeat(40),
      authentication: ["client_secret_jwt" as const],
      grantTypes: ["client_credentials"],
    };
    await addClient(before.server.context, client);
    await addClientSecret(before.server.context, "app");
    await before.tokens();
    await openKit({ store, secret }).server.ready();
    const { keys, secrets, clients } = before.server.context.records;
    const texts = [
      ...(await keys.list()).map(([, { encryptedKey }]) => encryptedKey),
      ...(await secrets.list()).map(([, text]) => text),
    ];
    const app = present(await clients.find("app"));
    const clientSecrets = app.secrets.map(({ encryptedText }) => encryptedText);
    assertEquals(clientSecrets.length, 2);
    assert([...texts, ...clientSecrets].every((text) => text?.startsWith("sealed:2:")));
    assertEquals((await openKit({ store, secret }).tokens()).token_type, "Bearer");
  });

  it("is not sealed again when the next server starts", async () => {
    const store = watchedStore();
    const { server } = openKit({ store, secret });
    const jwt = {
      authentication: ["client_secret_jwt" as const],
      grantTypes: ["client_credentials"],
    };
    await addClient(server.context, { id: "jwt", secret: "x".repeat(40), ...jwt });
    await addClient(server.context, {
      id: "app",
      secret: "y".repeat(40),
      redirectUris: ["https://a.b/"],
    });
    await server.ready();
    store.writes.length = 0;
    await openKit({ store, secret }).server.ready();
    assertEquals(store.writes, []);
  });

  it("is nothing of a client whose secret needs no storing", async () => {
    const kit = openKit({ secret });
    await kit.tokens();
    const { context } = kit.server;
    await addClient(context, { id: "app", secret: "x".repeat(40), redirectUris: ["https://a.b/"] });
    const { secrets } = present(await context.records.clients.find("app"));
    assertEquals(secrets.map(({ encryptedText }) => encryptedText), [undefined]);
  });
});

describe("A client that is added to the store", () => {
  it("L13: needs a secret of 128 bits or more, as only its SHA-256 is kept", async () => {
    const add = () =>
      addClient(openKit().server.context, {
        id: "app",
        secret: "short",
        grantTypes: ["client_credentials"],
      });
    await assertRejects(
      add,
      Error,
      "secret must have at least 22 characters to be stored; --secret creates one",
    );
  });
});

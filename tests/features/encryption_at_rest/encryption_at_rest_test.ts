import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { addSecret as addClientSecret } from "../../../src/administration/client_secrets.ts";
import { add as addClient } from "../../../src/administration/clients.ts";
import { ConfigError } from "../../../src/server/config/problems.ts";
import { createCipher } from "../../../src/server/features/encryption_at_rest/cipher.ts";
import { plainTexts } from "../../../src/server/issuer/keys/cipher.ts";
import { hmacKey } from "../../../src/server/issuer/keys/secrets_at_rest.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { type Kit, openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { watchedStore } from "../../support/stores.ts";

const secret = "a secret that seals, of 32 characters or more";

const unreadable =
  "an encrypted key or secret in a form that this version of Hallpass does not read";

describe("What is sealed at rest", () => {
  it("L13: opens only where it was sealed for", async () => {
    const encryption = createCipher(secret);
    const sealed = await encryption.encrypt("a key", "key one");
    assertEquals(await encryption.decrypt(sealed, "key one"), "a key");
    await assertRejects(() => encryption.decrypt(sealed, "key two"), Error, "another secret");
  });

  it("L13: is no plain text in another form, whatever follows, and is not encrypted again", async () => {
    const encryption = createCipher(secret);
    const placeless = (await encryption.encrypt("a key", "")).replace("sealed:2:", "sealed:");
    for (const text of [placeless, "sealed:", "sealed:2", "sealed:3:x.y", "sealed:a key"]) {
      await assertRejects(() => encryption.decrypt(text, "key one"), Error, unreadable);
      assertEquals(encryption.isOutdated(text), false);
    }
    for (const text of ["sealed:2:", "sealed:2:x", "sealed:2:%.%"]) {
      await assertRejects(() => encryption.decrypt(text, "key one"), Error, "another secret");
    }
  });

  it("L13: is no plain text without a secret, whatever its form", async () => {
    const { decrypt } = plainTexts;
    for (const text of ["sealed:", "sealed:x.y", "sealed:2:x.y"]) {
      await assertRejects(() => decrypt(text, "key one"), Error, "The store holds encrypted keys");
    }
  });

  it("is sealed with a key that is derived when it is first needed", async () => {
    const { importKey } = crypto.subtle;
    let calls = 0;
    crypto.subtle.importKey = (
      ...args: unknown[]
    ) => (calls++, Reflect.apply(importKey, crypto.subtle, args));
    try {
      const encryption = createCipher(secret);
      assertEquals(calls, 0);
      await encryption.decrypt(await encryption.encrypt("a key", "key one"), "key one");
      assertEquals(calls, 1);
    } finally {
      crypto.subtle.importKey = importKey;
    }
  });

  const holders: Record<string, (kit: Kit) => Promise<unknown>> = {
    async "a signing key"(kit) {
      const { keys } = kit.server.context.records;
      for (const [id, key] of await keys.list()) {
        await keys.put(id, { ...key, encryptedKey: "sealed:x.y" }, forever);
      }
    },
    "the server's own secret": (kit) =>
      kit.server.context.records.secrets.put("own", "sealed:x.y", forever),
  };
  for (const [what, put] of Object.entries(holders)) {
    it(`L13: keeps a server from starting in a form that it does not read: ${what}`, async () => {
      const store = memoryStore();
      const kit = openKit({ store, secret });
      await kit.tokens();
      await put(kit);
      const { server } = openKit({ store, secret });
      await assertRejects(() => server.ready(), Error, unreadable);
      // The key that seals is still derived, for another row.
      await server.context.keys.encryption.encrypt("a key", "key one");
    });
  }

  it("L13: authenticates no client in a form that it does not read", async () => {
    const kit = openKit({ secret });
    const { context } = kit.server;
    const client = { id: "app", secret: "x".repeat(40), redirectUris: ["https://a.b/"] };
    await addClient(context, { ...client, idTokenAlg: "HS256" });
    const { secrets: [own], ...app } = present(await context.records.clients.find("app"));
    const secrets = [{ ...present(own), encryptedText: "sealed:x.y" }];
    await context.records.clients.put("app", { ...app, secrets }, forever);
    await assertRejects(() => hmacKey(context, "app", present(secrets[0])), Error, unreadable);
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
    const after = openKit({ store, secret });
    await after.server.ready();
    // The clients may be many, so they follow in the background.
    after.clock.advance(30);
    after.server.context.maintain();
    await after.server.context.background.idle();
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

describe("The secret of a server", () => {
  it("has at least 32 characters", () => {
    const expected =
      "secret must have at least 32 characters; create one with: openssl rand -base64 32";
    assertThrows(() => openKit({ secret: "short" }), ConfigError, expected);
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

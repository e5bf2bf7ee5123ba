import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { addSecret as addClientSecret } from "../../src/server/issuer/admin/client_secrets.ts";
import { add as addClient } from "../../src/server/issuer/admin/clients.ts";
import {
  checkEncryption,
  encryptOutdatedRows,
} from "../../src/server/issuer/keys/encrypted_rows.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { openKit, openStrictKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const secret = "x".repeat(32);
const app = {
  id: "app",
  secret: "a-secret-with-32-bytes-or-more-12",
  redirectUris: ["https://app.example/cb"],
  idTokenAlg: "HS256" as const,
};

describe("checkEncryption", () => {
  it("notices another secret by the server's own secrets as well", async () => {
    const store = memoryStore();
    const { context } = openStrictKit({ store, secret }).server;
    await context.derive("user-code", "a text");
    await checkEncryption(context);
    assertEquals((await context.records.secrets.list()).length > 0, true);
    for (const [id] of await context.records.keys.list()) await context.records.keys.delete(id);
    const other = openStrictKit({ store, secret: "y".repeat(32) }).server.context;
    await assertRejects(() => checkEncryption(other));
  });
});

describe("encryptOutdatedRows", () => {
  it("leaves what is encrypted as it should be", async () => {
    const kit = openStrictKit({ secret });
    await kit.server.ready();
    const { records } = kit.server.context;
    const before = await records.keys.list();
    await encryptOutdatedRows(kit.server.context);
    assertEquals([before.length > 0, await records.keys.list()], [true, before]);
  });

  it("encrypts both secrets of a client, also if only one of them is outdated", async () => {
    const store = memoryStore();
    const plain = openKit({ store }).server.context;
    await addClient(plain, app);
    const { context } = openStrictKit({ store, secret }).server;
    await encryptOutdatedRows(context);
    await addClientSecret(context, "app");
    const client = present(await context.records.clients.find("app"));
    const [first, ...others] = client.secrets;
    assertNotEquals(present(first).encryptedText, app.secret);
    const half = {
      ...client,
      secrets: [{ ...present(first), encryptedText: app.secret }, ...others],
    };
    await context.records.clients.put("app", half, forever);
    await encryptOutdatedRows(context);
    const after = present(await context.records.clients.find("app"));
    assertEquals(
      after.secrets.map(({ encryptedText }) => context.encryption.isOutdated(encryptedText ?? "")),
      [false, false],
    );
    const { encryptedText = "" } = present(after.secrets[0]);
    const plaintext = await context.encryption.decrypt(encryptedText, "client app");
    assertEquals(plaintext, app.secret);
  });
});

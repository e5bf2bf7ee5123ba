import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { addSecret as addClientSecret } from "../../../src/administration/client_secrets.ts";
import { add as addClient } from "../../../src/administration/clients.ts";
import { createClientEncryption } from "../../../src/server/features/encryption_at_rest/feature.ts";
import {
  checkEncryption,
  encryptOutdatedRows,
} from "../../../src/server/issuer/keys/secrets_at_rest.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { openKit, openStrictKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

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
    await context.keys.derive("user-code", "a text");
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
});

describe("createClientEncryption", () => {
  it("encrypts both secrets of a client, also if only one of them is outdated", async () => {
    const store = memoryStore();
    const plain = openKit({ store }).server.context;
    await addClient(plain, app);
    const { context } = openStrictKit({ store, secret }).server;
    await createClientEncryption()(context);
    await addClientSecret(context, "app");
    const client = present(await context.records.clients.find("app"));
    const [first, ...others] = client.secrets;
    assertNotEquals(present(first).encryptedText, app.secret);
    const half = {
      ...client,
      secrets: [{ ...present(first), encryptedText: app.secret }, ...others],
    };
    await context.records.clients.put("app", half, forever);
    await createClientEncryption()(context);
    const after = present(await context.records.clients.find("app"));
    assertEquals(
      after.secrets.map(({ encryptedText }) =>
        context.keys.encryption.isOutdated(encryptedText ?? "")
      ),
      [false, false],
    );
    const { encryptedText = "" } = present(after.secrets[0]);
    const plaintext = await context.keys.encryption.decrypt(encryptedText, "client app");
    assertEquals(plaintext, app.secret);
  });

  it("Y8: looks at a hundred clients in a turn, and then at the next ones", async () => {
    const store = memoryStore();
    const plain = openKit({ store }).server.context;
    await addClient(plain, app);
    const client = present(await plain.records.clients.find("app"));
    const ids = Array.from({ length: 250 }, (_, n) => `app-${n}`);
    for (const id of ids) await plain.records.clients.put(id, { ...client, id }, forever);
    const { context } = openStrictKit({ store, secret }).server;
    const encryptSome = createClientEncryption();
    const outdated: number[] = [];
    const results: unknown[] = [];
    for (let turn = 0; turn < 4; turn++) {
      results.push(await encryptSome(context));
      const texts = (await context.records.clients.list()).map(([, { secrets }]) =>
        present(secrets[0]).encryptedText ?? ""
      );
      outdated.push(texts.filter((text) => context.keys.encryption.isOutdated(text)).length);
    }
    assertEquals(results, ["more", "more", undefined, undefined]);
    assertEquals(outdated, [151, 51, 0, 0]);
  });
});

import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { addSecret as addClientSecret } from "../../src/server/issuer/admin/client_secrets.ts";
import { set as setClient } from "../../src/server/issuer/admin/client_settings.ts";
import { add as addClient } from "../../src/server/issuer/admin/clients.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import type { Client } from "../../src/server/model/client.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const app = {
  id: "app",
  secret: "a-secret-with-32-bytes-or-more-12",
  redirectUris: ["https://app.example/cb"],
  idTokenAlg: "HS256" as const,
};

/** Opens a store that has the client with two secrets. */
async function openStore() {
  const store = memoryStore();
  const kit = openKit({ store });
  await addClient(kit.server.context, app);
  await addClientSecret(kit.server.context, "app");
  const row = async () => present(await store.get("client", "app"));
  return { store, admin: kit.server.context, row };
}

describe("The row of a client", () => {
  it("has its secrets as every version reads them", async () => {
    const { row, admin } = await openStore();
    const { value } = await row();
    const { secretHash, hasLongSecret, encryptedSecret, secretSince, nextSecret } = Object(value);
    assertEquals([hasLongSecret, encryptedSecret], [true, app.secret]);
    assertEquals(Object.keys(nextSecret).sort(), [
      "encryptedSecret",
      "hasLongSecret",
      "secretHash",
      "secretSince",
    ]);
    const { secrets }: Client = present(await admin.records.clients.find("app"));
    assertEquals(secrets[0], {
      hash: secretHash,
      isLong: true,
      encryptedText: encryptedSecret,
      since: secretSince,
    });
    assertEquals([secrets.length, "secrets" in Object(value)], [2, false]);
  });

  it("can be changed if another version wrote its members in another order", async () => {
    const { store, admin, row } = await openStore();
    const { value, ...times } = await row();
    const reversed = Object.fromEntries(Object.entries(Object(value)).reverse());
    await store.put("client", "app", { ...times, value: reversed });
    await setClient(admin, "app", ({ given }) => ({ ...given, name: "Documents" }));
    assertEquals((await admin.records.clients.find("app"))?.name, "Documents");
    assertEquals((await admin.records.clients.find("app"))?.secrets.length, 2);
  });

  it("is not replaced if it has changed since it was read", async () => {
    const { clients } = (await openStore()).admin.records;
    const before = present(await clients.get("app"));
    await clients.put("app", { ...before.value, secrets: [] }, forever);
    assertEquals(await clients.replace("app", before, before.value), false);
    await clients.delete("app");
    assertEquals(await clients.replace("app", before, before.value), false);
  });
});

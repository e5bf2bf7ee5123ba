import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import {
  addSecret as addClientSecret,
  dropSecret as dropClientSecret,
  listSecrets as listClientSecrets,
  retireSecret as retireClientSecret,
} from "../../src/administration/client_secrets.ts";
import { set as setClient } from "../../src/administration/client_settings.ts";
import * as clients from "../../src/administration/clients.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import {
  type AdminContext,
  createChangeReport,
  listChanges,
} from "../../src/server/issuer/directory/changes.ts";
import {
  addStored,
  deleteStored,
  placeOfClient,
} from "../../src/server/issuer/directory/directory_entries.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { itWith } from "../support/it_with.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { register } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ inSpa: () => openWith(spa) });

const redirectUris = ["https://hallpass.test/authorized"];
const app = { id: "app", secret: "app-secret-of-22-chars", redirectUris };
const spa = { id: "spa", redirectUris, scopes: ["openid", "profile", "read"] };

/** A server, and an administrator whose changes are recorded. */
async function openWith(...added: ClientConfig[]): Promise<{ kit: Kit; admin: AdminContext }> {
  const kit = openKit();
  for (const client of added) await clients.add(kit.server.context, client);
  return { kit, admin: { ...kit.server.context, action: { by: "root", command: "a command" } } };
}

/** A store that counts how many deletions wait for it at once. */
function storeWithSlowDeletes(): { store: Store; most: () => number } {
  const inner = memoryStore();
  let [waiting, most] = [0, 0];
  const remove: Store["delete"] = async (kind, id) => {
    most = Math.max(most, ++waiting);
    await inner.delete(kind, id);
    waiting--;
  };
  return { store: { ...inner, delete: remove }, most: () => most };
}

async function storedClient(admin: AdminContext, id: string) {
  return present(await admin.records.clients.find(id));
}

describe("A client in the store", () => {
  it("is refused before its settings are interpreted, if they have another type", async () => {
    const { admin } = await openWith();
    const config = { ...spa, redirectUris: "https://app.example" } as unknown as ClientConfig;
    const error = await assertRejects(() => clients.add(admin, config), ConfigError) as ConfigError;
    assertEquals(error.message.split("\n").length, 2, error.message);
  });

  it.inSpa("loses what was issued to it when it is disabled, and nothing when it is enabled", async ({ kit, admin }) => {
    const left = async () => (await admin.records.authorizations.list()).length;
    await kit.code({ client_id: "spa" });
    await kit.code({ client_id: "demo-spa" });
    await clients.enable(admin, "spa");
    assertEquals(await left(), 2);
    await clients.disable(admin, "spa");
    assertEquals(await left(), 1);
    const [revoked] = kit.events.filter(({ type }) => type === "authorization.revoked");
    assertEquals(JSON.stringify(revoked).includes("its client was disabled"), true);
  });

  it.inSpa("stays public when its settings change", async ({ admin }) => {
    await setClient(admin, "spa", ({ given }) => ({ ...given, name: "Documents" }));
    const { name, secrets } = await storedClient(admin, "spa");
    assertEquals([name, secrets], ["Documents", []]);
    assertEquals(await listClientSecrets(admin, "spa"), []);
  });

  it("has a second secret that is too long to be guessed", async () => {
    const { admin } = await openWith(app);
    await addClientSecret(admin, "app");
    const { secrets } = await storedClient(admin, "app");
    assertEquals(secrets.map(({ isLong }) => isLong), [true, true]);
  });

  if (hasFeature("registration")) {
    it("keeps its secrets to itself if it registered itself", async () => {
      const { kit, admin } = await openWith();
      const { client_id } = (await register(kit, { redirect_uris: redirectUris })).body;
      for (const act of [addClientSecret, retireClientSecret, dropClientSecret]) {
        await assertRejects(() => act(admin, client_id), AdminError, "registered itself");
      }
    });
  }

  for (const length of [198, 199]) {
    it.inSpa(`is described by ${length} characters of a value, of at most 200 with its quotes`, async ({ admin }) => {
      const name = "x".repeat(length);
      await setClient(admin, "spa", ({ given }) => ({ ...given, name }));
      const [change] = await listChanges(admin);
      const shown = length === 198 ? `"${name}"` : `"${name}…`;
      assertEquals(change?.details, [`name: default -> ${shown}`]);
    });
  }
});

describe("A row of the store", () => {
  it.inSpa("is added once, and a refusal leaves no change", async ({ admin }) => {
    const place = placeOfClient(admin, "spa");
    const client = await storedClient(admin, "spa");
    await assertRejects(() => addStored(admin, place, client), AdminError, "already a client");
    assertEquals(await listChanges(admin), []);
  });

  it.inSpa("is not replaced if another process was faster", async ({ admin }) => {
    const place = placeOfClient(admin, "other");
    const late = { ...place, write: async () => false };
    const client = await storedClient(admin, "spa");
    await assertRejects(() => addStored(admin, late, client), AdminError, "already a client");
  });

  it.inSpa("is not deleted in place of an earlier one of the same name", async ({ admin }) => {
    const place = placeOfClient(admin, "spa");
    const client = await storedClient(admin, "spa");
    await deleteStored(admin, place, { ...client, instance: "earlier" });
    assertEquals(await place.stored.find("spa"), client);
    await deleteStored(admin, place, client);
    await deleteStored(admin, place, client);
    assertEquals(await place.stored.find("spa"), undefined);
  });
});

describe("A report of changes", () => {
  it("begins with the start of its server", async () => {
    const { kit, admin } = await openWith();
    await clients.add(admin, spa);
    kit.clock.advance(1);
    const report = createChangeReport(kit.clock.now);
    const reported = () => kit.events.filter(({ type }) => type === "admin.changed").length;
    for (let times = 0; times < 3; times++) {
      await report(admin);
      kit.clock.advance(2);
    }
    assertEquals(reported(), 0);
  });
});

describe("The removal of a client with many authorizations", () => {
  it("Y9: revokes them in groups, whose writes a store can commit together", async () => {
    const { store, most } = storeWithSlowDeletes();
    const kit = openKit({ store });
    const admin = { ...kit.server.context };
    await clients.add(admin, spa);
    await kit.code({ client_id: "spa" });
    const [[, authorization] = []] = await admin.records.authorizations.list();
    for (let n = 0; n < 250; n++) {
      const id = `${present(authorization).id}${n}`;
      await admin.records.authorizations.put(id, { ...present(authorization), id }, forever);
    }
    assertEquals(await clients.remove(admin, "spa"), {
      clients: 1,
      authorizations: 251,
      consents: 1,
    });
    assertEquals([await admin.records.authorizations.list(), most()], [[], 100]);
  });
});

import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import {
  type Administration,
  createAdministration,
} from "../../src/administration/administration.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { itWith } from "../support/it_with.ts";
import { openStrictKit } from "../support/kit.ts";

const it = itWith({ withAdmin: () => open() });

/** What names an entry that does not exist, and what the operator reads. */
const refusals: Record<string, [(admin: Administration) => Promise<unknown>, string]> = {
  "a user to show": [({ users }) => users.show("zoe"), "There is no user 'zoe'."],
  "a user to describe": [({ users }) => users.describe("zoe"), "There is no user 'zoe'."],
  "a client to show": [({ clients }) => clients.show("zoo"), "There is no client 'zoo'."],
  "a client to describe": [({ clients }) => clients.describe("zoo"), "There is no client 'zoo'."],
  "a session to end": [({ sessions }) => sessions.end("s1"), "There is no session 's1'."],
  "an authorization to show": [
    ({ authorizations }) => authorizations.show("a1"),
    "There is no authorization 'a1'.",
  ],
  "an authorization to remove": [
    ({ authorizations }) => authorizations.remove("a1"),
    "There is no authorization 'a1'.",
  ],
  "a key to check": [({ keys }) => keys.checkExists("k1"), "There is no key 'k1'."],
  "a key to remove": [({ keys }) => keys.remove("k1"), "There is no key 'k1'."],
};

describe("Administration", () => {
  for (const [what, [act, message]] of Object.entries(refusals)) {
    it.withAdmin(`refuses ${what} that does not exist, and records no change`, async (admin) => {
      await assertRejects(() => act(admin), AdminError, message);
      assertEquals(await admin.changes.list(), []);
    });
  }

  it.withAdmin("records who changed what", async (admin) => {
    await admin.users.add({ name: "dora", password: "a long password" });
    await admin.users.disable("dora");
    const changes = await admin.changes.list();
    assertEquals(changes.map(({ by, target }) => `${by}: ${target}`), ["kim: dora", "kim: dora"]);
  });

  it.withAdmin("disables and enables users and clients", async (admin) => {
    await admin.users.add({ name: "dora", password: "a long password" });
    await admin.clients.add({ id: "web", redirectUris: ["https://app.example/callback"] });
    await admin.users.disable("dora");
    await admin.clients.disable("web");
    assertEquals((await admin.users.show("dora")).value.disabled, true);
    assertEquals((await admin.clients.show("web")).value.disabled, true);
    await admin.users.enable("dora");
    await admin.clients.enable("web");
    assertEquals((await admin.users.show("dora")).value.disabled, false);
    assertEquals((await admin.clients.show("web")).value.disabled, false);
  });

  it.withAdmin("describes what would be removed", async (admin) => {
    await admin.users.add({ name: "dora", password: "a long password" });
    assertEquals(await admin.users.describe("dora"), "the user 'dora'");
  });

  it.withAdmin("makes a secret that the store accepts", async (admin) => {
    const secret = admin.clients.createSecret();
    await admin.clients.add({ id: "batch", secret, grantTypes: ["client_credentials"] });
    assertEquals((await admin.clients.listSecrets("batch")).map(({ state }) => state), ["current"]);
  });
});

function open(): Administration {
  const { context } = openStrictKit().server;
  return createAdministration(context, { by: "kim", command: "test" });
}

import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { addSecret as addClientSecret } from "../../src/administration/client_secrets.ts";
import { set as setClient } from "../../src/administration/client_settings.ts";
import {
  add as addClient,
  disable as disableClient,
  remove as removeClient,
} from "../../src/administration/clients.ts";
import { findRowsToReseal } from "../../src/administration/rows_to_reseal.ts";
import { setClaims } from "../../src/administration/user_claims.ts";
import {
  add as addUser,
  disable as disableUser,
  enable,
  remove as removeUser,
  setPassword,
} from "../../src/administration/users.ts";
import type { Context } from "../../src/server/issuer/context.ts";
import { noteSupersededKeys } from "../../src/server/issuer/keys/published_keys.ts";
import { encryptOutdatedRows } from "../../src/server/issuer/keys/secrets_at_rest.ts";
import { LockedError, updateRow } from "../../src/server/issuer/records/lock.ts";
import type { Store } from "../../src/server/store/store.ts";
import { type Kit, openKit, openStrictKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { register, sendJson } from "../support/registration.ts";
import { interruptEachCall, lateStore } from "../support/stores.ts";
import { hasFeature } from "../support/where_feature.ts";

/** Longer than any lock. */
const stall = 31;

const app = { id: "app", secret: "app-secret-of-22-chars", redirectUris: ["https://app.test/cb"] };

interface World {
  kit: Kit;
  context: Context;
  registered?: { id: string; url: string; token: string };
  /** Whether the other writer was told that it was done. */
  acknowledged?: boolean;
}

async function openWorld(store: Store): Promise<World> {
  const kit = openKit({ store });
  const { context } = kit.server;
  await addClient(context, app);
  await addUser(context, { name: "dora", password: "dora" });
  if (!hasFeature("registration")) return { kit, context };
  const { client_id: id, registration_client_uri: url, registration_access_token: token } =
    (await register(kit)).body;
  return { kit, context, registered: { id: present(id), url: String(url), token: present(token) } };
}

/** What one writer does, which the other must not undo. */
interface Change {
  name: string;
  kind: "user" | "client";
  change(world: World): Promise<unknown>;
}

const changes: Change[] = [
  {
    name: "a new password",
    kind: "user",
    change: ({ context }) => setPassword(context, "dora", "other"),
  },
  {
    name: "new claims",
    kind: "user",
    change: ({ context }) => setClaims(context, "dora", () => ({ email: "dora@dora.test" })),
  },
  {
    name: "new settings of a client",
    kind: "client",
    change: ({ context }) => setClient(context, "app", ({ given }) => ({ ...given, name: "App" })),
  },
  {
    name: "a second secret",
    kind: "client",
    change: ({ context }) => addClientSecret(context, "app"),
  },
];
if (hasFeature("registration")) {
  changes.push({ name: "another registration", kind: "client", change: changeRegistration });
}

async function enableUser({ context }: World): Promise<void> {
  await enable(context, "dora");
}

async function changeRegistration({ kit, registered }: World) {
  const { id, url, token } = present(registered);
  const metadata = { client_id: id, redirect_uris: ["https://app.test/other"] };
  const { status } = await sendJson(kit, "PUT", url, metadata, token);
  if (status !== 200) throw new Error(`The response has status ${status}.`);
}

/** Disables everything that the changes are about, once their locks have expired. */
async function disableAll(world: World): Promise<void> {
  const { kit, context } = world;
  kit.clock.advance(stall);
  await disableUser(context, "dora");
  for (const id of clientsOf(world)) await disableClient(context, id);
  world.acknowledged = true;
}

async function removeAll(world: World): Promise<void> {
  const { kit, context } = world;
  kit.clock.advance(stall);
  await removeUser(context, "dora");
  for (const id of clientsOf(world)) await removeClient(context, id);
  world.acknowledged = true;
}

function clientsOf({ registered }: World): string[] {
  return ["app", ...registered ? [registered.id] : []];
}

/** Returns which of the rows are there and enabled. */
async function enabled(world: World): Promise<unknown[]> {
  const { users, clients } = world.context.records;
  const rows = await Promise.all([
    users.find("dora"),
    ...clientsOf(world).map((id) => clients.find(id)),
  ]);
  return rows.map((row) => row && !row.disabled);
}

describe("A writer that stalls for longer than its lock", () => {
  for (const { name, change } of changes) {
    it(`R1: does not undo a disabling: ${name}`, async () => {
      const points = await interruptEachCall<World>({
        open: openWorld,
        act: change,
        interruption: disableAll,
        check: async (world, call) => {
          if (!world.acknowledged) return;
          assertEquals(new Set(await enabled(world)), new Set([false]), `before call ${call}`);
        },
      });
      assert(points > 4, `${points} points of delay`);
    });

    it(`R1: does not bring back what was removed: ${name}`, async () => {
      await interruptEachCall<World>({
        open: openWorld,
        act: change,
        interruption: removeAll,
        check: async (world, call) => {
          if (!world.acknowledged) return;
          assertEquals(new Set(await enabled(world)), new Set([undefined]), `before call ${call}`);
        },
      });
    });
  }

  it("R1: is told to try again", async () => {
    const store = lateStore();
    const world = await openWorld({
      ...store,
      async put(kind, id, row, condition) {
        if (condition) {
          await store.put(kind, id, { ...row, value: { ...Object(row.value), disabled: true } });
        }
        return await store.put(kind, id, row, condition);
      },
    });
    await assertRejects(() => setPassword(world.context, "dora", "other"), LockedError);
  });
});

describe("A write that was given up", () => {
  for (const { name, kind, change } of changes) {
    it(`R1: undoes nothing when it comes late: ${name}`, async () => {
      const store = lateStore();
      const world = await openWorld(store);
      const happen = store.delay(kind);
      await assertRejects(() => change(world));
      await disableAll(world);
      await happen();
      assertEquals(new Set(await enabled(world)), new Set([false]));
    });
  }

  it("R1: a late enabling undoes no disabling", async () => {
    const store = lateStore();
    const world = await openWorld(store);
    await disableUser(world.context, "dora");
    const happen = store.delay("user");
    await assertRejects(() => enableUser(world));
    await enableUser(world);
    await disableUser(world.context, "dora");
    await happen();
    assertEquals((await enabled(world))[0], false);
  });

  if (hasFeature("registration")) {
    it("R1: a late change brings no deleted registration back", async () => {
      const store = lateStore();
      const world = await openWorld(store);
      const happen = store.delay("client");
      await assertRejects(() => changeRegistration(world));
      const { url, token } = present(world.registered);
      const deletion = { method: "DELETE", headers: { Authorization: `Bearer ${token}` } };
      const { status } = await world.kit.server.fetch(new Request(url, deletion));
      await happen();
      assertEquals([status, (await enabled(world))[2]], [204, undefined]);
    });
  }
});

if (hasFeature("encryption at rest")) {
  describe("A key that is removed while its row is written", () => {
    const earlier = "the secret that has leaked, of 32 characters or more";
    const later = "the secret that replaces it, of 32 characters or more";
    const writers: Array<[name: string, before: string | undefined, write: KeyWriter]> = [
      ["encrypted at the start", undefined, encryptOutdatedRows],
      ["sealed anew", earlier, async (context) => {
        for (
          const { reseal } of await findRowsToReseal(
            context,
            context.keys.encryption.withSecret(earlier),
          )
        ) {
          await reseal();
        }
      }],
      ["superseded", later, async ({ records, keys, now }) => {
        // The key of the encryption is derived in the background, until it is first used.
        await keys.published();
        const rows = await keys.list();
        const algs = new Set(rows.map(({ alg }) => alg));
        await noteSupersededKeys({ records, now }, rows, algs);
      }],
    ];
    type KeyWriter = (context: Context) => Promise<unknown>;

    for (const [name, before, write] of writers) {
      it(`S17: stays removed: ${name}`, async () => {
        const store = lateStore();
        await openStrictKit({ store, ...before && { secret: before } }).server.ready();
        const { context } = openStrictKit({ store, secret: later }).server;
        const [[id = ""] = []] = await context.records.keys.list();
        const happen = store.delay("key");
        await assertRejects(() => write(context));
        await context.records.keys.delete(id);
        await happen();
        assertEquals(await context.records.keys.find(id), undefined);
      });
    }
  });
}

describe("updateRow", () => {
  it("changes what the row is by then", async () => {
    const { records } = openKit().server.context;
    await records.issuers.put("a", "1", Infinity);
    let tries = 0;
    await updateRow(records.issuers, "a", async (value) => {
      if (tries++ === 0) await records.issuers.put("a", "2", Date.UTC(2100, 0, 1));
      return `${value} changed`;
    });
    assertEquals([tries, await records.issuers.find("a")], [2, "2 changed"]);
  });

  it("gives up where the row changes each time", async () => {
    const { records } = openKit().server.context;
    let tries = 0;
    await records.issuers.put("a", "0", Date.UTC(2100, 0, 1));
    const update = updateRow(records.issuers, "a", async (value) => {
      await records.issuers.put("a", `${++tries}`, Date.UTC(2100, 0, 1));
      return value;
    });
    await assertRejects(() => update, LockedError);
    assertEquals([tries, await records.issuers.find("a")], [5, "5"]);
  });
});

describe("A store that ignores the condition of a write", () => {
  it("is named, if it does not return whether it wrote", async () => {
    const store = lateStore();
    const put = async (...args: Parameters<Store["put"]>) => void await store.put(...args);
    const { context } = await openWorld({ ...store, put } as unknown as Store);
    await assertRejects(() => setPassword(context, "dora", "other"), Error, "storeContract");
  });
});

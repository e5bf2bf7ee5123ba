import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createAdministration } from "../../src/administration/administration.ts";
import { shownExtent } from "../../src/administration/extent.ts";
import { joinId } from "../../src/server/issuer/records/row_id.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { type Kit, openStrictKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

type Admin = ReturnType<typeof createAdministration>;

/** What an administrator does about one user or client, of however many. */
const commands: Readonly<Record<string, (admin: Admin) => Promise<unknown>>> = {
  "user show": ({ users }) => users.show("zoe"),
  "user add": ({ users }) => users.add({ name: "yara" }),
  "user sign-out": ({ users }) => users.signOut("zoe"),
  "user disable": ({ users }) => users.disable("zoe"),
  "user remove": ({ users }) => users.remove("zoe"),
  "client show": ({ clients }) => clients.show("app"),
  "client add": ({ clients }) => clients.add({ id: "new", redirectUris: ["https://a.example/cb"] }),
  "client disable": ({ clients }) => clients.disable("app"),
  "session list --user": ({ sessions }) => Array.fromAsync(sessions.list("zoe")),
  "session end": async ({ sessions }) => {
    const [first] = await Array.fromAsync(sessions.list("zoe"));
    await sessions.end(present(first).session.sid);
  },
  "authorization list --user": ({ authorizations }) => Array.fromAsync(authorizations.list("zoe")),
};

/** A store that counts the rows which are read. */
function countingStore(): { store: Store; read: () => number } {
  const { batch: _, ...store } = memoryStore();
  let read = 0;
  return {
    store: {
      ...store,
      async get(...args) {
        read += 1;
        return await store.get(...args);
      },
      async list(...args) {
        const rows = await store.list(...args);
        read += rows.length + 1;
        return rows;
      },
    },
    read: () => read,
  };
}

async function addUser({ users }: Admin, kit: Kit): Promise<void> {
  await users.add({ name: "zoe", password: "correct horse battery" });
  await kit.code({ client_id: "app" }, { user: "zoe", password: "correct horse battery" });
}

/** Adds as many others as there may be: users, clients, sessions, authorizations, consents. */
async function addOthers({ server: { context } }: Kit, count: number): Promise<void> {
  const { records } = context;
  const [[, user] = []] = await records.users.list();
  const [[, client] = []] = await records.clients.list();
  const [[, session] = []] = await records.userSessions.list();
  const [[, authorization] = []] = await records.authorizations.list();
  const [[, consent] = []] = await records.consents.list();
  for (let n = 0; n < count; n++) {
    const id = `other-${n}`;
    await records.users.put(id, { ...present(user), name: id, subject: id }, forever);
    if (client) await records.clients.put(id, { ...client, id }, forever);
    const other = { ...present(session), sid: id, userName: id, subject: id };
    await records.sessions.put(id, other, forever);
    await records.userSessions.put(joinId(id, id), other, forever);
    await records.sessionClients.put(joinId(id, "app"), { subject: id }, forever);
    const allowed = { ...present(authorization), id, userName: id, userSubject: id, clientId: id };
    await records.authorizations.put(id, allowed, forever);
    if (consent) await records.consents.put(joinId(id, id, id), consent, forever);
    const change = { at: 1, by: "root", command: "user add", target: id, details: [] };
    await records.adminChanges.put(joinId("2020", id), change, forever);
  }
}

async function readsOf(run: (admin: Admin) => Promise<unknown>, others: number): Promise<number> {
  const { store, read } = countingStore();
  const kit = openStrictKit({ store, users: [] });
  const admin = createAdministration(kit.server.context, { by: "root", command: "a test" });
  await admin.clients.add({ id: "app", redirectUris: ["https://hallpass.test/authorized"] });
  await addUser(admin, kit);
  await addOthers(kit, others);
  const before = read();
  await run(admin);
  return read() - before;
}

describe("A command about one user or client reads as many rows with a thousand others:", () => {
  for (const [name, run] of Object.entries(commands)) {
    it(name, async () => {
      const few = await readsOf(run, 1);
      assertEquals(await readsOf(run, 1000), few);
      assert(few < 60, `${few} rows were read`);
    });
  }
});

describe("client remove", () => {
  it("reads the consents of all users once, since they are listed by users", async () => {
    const remove = ({ clients }: Admin) => clients.remove("app");
    const more = await readsOf(remove, 1000) - await readsOf(remove, 400);
    assert(more < 700, `600 more consents took ${more} rows`);
  });
});

describe("What a user has", () => {
  it("is counted up to a thousand", async () => {
    const kit = openStrictKit({ users: [] });
    const admin = createAdministration(kit.server.context);
    await admin.clients.add({ id: "app", redirectUris: ["https://hallpass.test/authorized"] });
    await addUser(admin, kit);
    const { records } = kit.server.context;
    const [[, session] = []] = await records.userSessions.list();
    for (let n = 0; n < 999; n++) {
      await records.userSessions.put(`zoe/${n}`, { ...present(session), sid: `${n}` }, forever);
    }
    const sessions = async () => shownExtent((await admin.users.show("zoe")).extent).sessions;
    assertEquals(await sessions(), 1000);
    await records.userSessions.put("zoe/999", { ...present(session), sid: "999" }, forever);
    assertEquals(await sessions(), "more than 1,000");
  });

  it("keeps the name of a removed user taken, also if an earlier version removed them", async () => {
    const kit = openStrictKit({ users: [] });
    const { records } = kit.server.context;
    const change = {
      at: kit.clock.now,
      by: "root",
      command: "user remove",
      target: "old",
      details: [],
    };
    await records.adminChanges.put(joinId("2020", "x"), change, forever);
    const admin = createAdministration(kit.server.context, { by: "root", command: "user remove" });
    for (const name of ["old", "older"]) {
      if (name === "older") {
        await admin.users.add({ name });
        await admin.users.remove(name);
      }
      const error = await admin.users.add({ name }).catch(({ message }) => message);
      assertEquals(String(error).startsWith(`There was a user '${name}' until`), true, name);
    }
  });
});

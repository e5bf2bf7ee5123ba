import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { add as addUser } from "../../../src/administration/users.ts";
import { countDirectory, readDirectory } from "../../../src/program/operate/directory.ts";
import { createFullServer } from "../../../src/server/features.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { completeClaimRows } from "../../../src/server/issuer/users/find_users.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { present } from "../../support/present.ts";

const issuer = "https://id.example";
const secret = "a secret of these tests, long enough";
const redirectUris = ["https://app.example/callback"];

/** Returns a store that notes what is listed, and how much of it at once. */
function watchedStore(): { store: Store; listed: Array<[kind: string, rows: number]> } {
  const inner = memoryStore();
  const listed: Array<[string, number]> = [];
  const list: Store["list"] = async (kind, page) => {
    const rows = await inner.list(kind, page);
    listed.push([kind, rows.length]);
    return rows;
  };
  return { store: { ...inner, list }, listed };
}

/** A server with one client and one user of the configuration, and as many more in the store. */
async function serverWith(stored: number) {
  const { store, listed } = watchedStore();
  const { context } = createFullServer({
    issuer,
    clients: [{ id: "app", redirectUris }],
    users: [{ name: "ada" }],
    store,
  });
  const [client, user] = await Promise.all([
    context.settings.clients.get("app"),
    context.settings.users.get("ada"),
  ]);
  assert(client && user);
  for (let at = 0; at < stored; at++) {
    await context.records.clients.put(`app-${at}`, { ...client, id: `app-${at}` }, forever);
    await context.records.users.put(`ada-${at}`, { ...user, name: `ada-${at}` }, forever);
  }
  listed.length = 0;
  return { context, listed };
}

function pagesOf(kind: string, listed: ReadonlyArray<[kind: string, rows: number]>): number[] {
  return listed.filter(([each]) => each === kind).map(([, rows]) => rows);
}

describe("readDirectory", () => {
  it("reads each client and user once, in pages", async () => {
    const { context, listed } = await serverWith(250);
    const { clients, users } = await readDirectory(context);
    assertEquals([clients.length, users.length], [251, 251]);
    for (const kind of ["client", "user"]) {
      assertEquals(pagesOf(kind, listed), [100, 100, 50], kind);
    }
  });

  it("keeps no values of claims but groups, which most of 200,000 users share", async () => {
    const { context } = createFullServer({ issuer, store: memoryStore() });
    for (const name of ["ada", "bob"]) {
      const claims = { email: `${name}@mail.example`, groups: ["staff"] };
      await addUser(context, { name, claims });
    }
    const { users: [ada, bob] } = await readDirectory(context);
    assertEquals(ada?.claims, { email: null, groups: ["staff"] });
    assert(ada?.claims === bob?.claims);
  });

  it("names the scopes that a client gained, and the clients that gain none", async () => {
    const store = memoryStore();
    const earlier = createFullServer({ issuer, store, scopes: { openid: "Know you" } }).context;
    for (const id of ["new", "old"]) await addClient(earlier, { id, redirectUris });
    const { givenSettings: _, ...row } = present(await earlier.records.clients.find("old"));
    await earlier.records.clients.put("old", row, forever);
    const scopes = { openid: "Know you", profile: "See your profile", read: "Read" };
    const { clients } = await readDirectory(createFullServer({ issuer, store, scopes }).context);
    assertEquals(clients.map(({ name, gained, isFrozen }) => [name, gained, isFrozen]), [
      ["new", ["profile"], false],
      ["old", [], true],
    ]);
  });
});

describe("countDirectory", () => {
  it("Y8: counts each name once, and no more than a thousand of the store", async () => {
    const { context } = await serverWith(999);
    const [[, client] = []] = await context.records.clients.list();
    await context.records.clients.put("app", { ...present(client), id: "app" }, forever);
    assertEquals(await countDirectory(context), { clients: 1000, users: 1000 });
    const { context: larger, listed } = await serverWith(1250);
    const more = "more than 1,001";
    assertEquals(await countDirectory(larger), { clients: more, users: more });
    assertEquals(pagesOf("client", listed), Array(11).fill(100));
  });
});

describe("The start of a server", () => {
  it("Y8: reads none of the clients and users in the store", async () => {
    const { context, listed } = await serverWith(300);
    // Once, it adds what an earlier version has not written.
    await completeClaimRows(context);
    listed.length = 0;
    const server = createFullServer({ issuer, secret, store: context.settings.store });
    await server.ready();
    assertEquals([pagesOf("client", listed), pagesOf("user", listed)], [[], []]);
  });
});

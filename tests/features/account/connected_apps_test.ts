import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import {
  type ConnectedApp,
  listConnectedApps,
} from "../../../src/server/features/account/connected_apps.ts";
import { rememberConsent } from "../../../src/server/issuer/authorizations/consents.ts";
import { disconnectApp } from "../../../src/server/issuer/authorizations/withdrawals.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { joinId } from "../../../src/server/issuer/records/row_id.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { itWith } from "../../support/it_with.ts";
import { isActive, type Kit, openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const it = itWith({ inKit: openKit });

async function connectedTo(kit: Kit, subject: string): Promise<string[]> {
  return (await appsOf(kit, subject)).map(({ clientId }) => clientId);
}

async function appsOf({ server: { context } }: Kit, name: string): Promise<ConnectedApp[]> {
  return (await listConnectedApps(context, (await findUser(context, name))!)).apps;
}

describe("What a user has allowed (OAuth 2.1, section 7.9)", () => {
  it.inKit("R07 A38 is one entry for each client, with all of its scopes and dates", async (kit) => {
    await kit.tokens({ scope: "openid read" });
    kit.clock.advance(60);
    await kit.tokens({ scope: "write" });
    await kit.code({ client_id: "demo-web" });
    const [spa, web] = await appsOf(kit, "alice");
    const first = kit.clock.now - 60_000;
    assertEquals([spa?.clientId, spa?.access.scope], ["demo-spa", ["openid", "read", "write"]]);
    assertEquals([spa?.since, spa?.latest], [first, kit.clock.now]);
    assertEquals(web?.clientId, "demo-web");
  });

  it.inKit("R07 holds what is not remembered, as long as tokens can come of it", async (kit) => {
    const redirect_uri = "http://127.0.0.1:1/callback";
    await kit.authorize({ client_id: "demo-cli", redirect_uri, scope: "read" });
    assertEquals(await connectedTo(kit, "alice"), ["demo-cli"]);
    kit.clock.advance(31 * 86_400);
    assertEquals(await connectedTo(kit, "alice"), []);
  });

  it("R07 shows no other user, though one name is the beginning of the other", async () => {
    const users = [{ name: "a", password: "a" }, { name: "a/b", password: "a/b" }, {
      name: "ab",
      password: "ab",
    }];
    const kit = openKit({ users });
    for (const { name } of users) await kit.tokens({}, { user: name });
    for (const { name } of users) assertEquals(await connectedTo(kit, name), ["demo-spa"], name);
    await disconnectApp(kit.server.context, "a", "demo-spa", "test");
    assertEquals(await connectedTo(kit, "a"), []);
    assertEquals(await connectedTo(kit, "a/b"), ["demo-spa"]);
    assertEquals(await connectedTo(kit, "ab"), ["demo-spa"]);
  });

  it("S16: is read for a limited number of sign-ins, and a limited number of clients", async () => {
    const store = memoryStore();
    let reads = 0;
    const get: typeof store.get = (...row) => {
      reads++;
      return store.get(...row);
    };
    const kit = openKit({ store: { ...store, get } });
    await kit.tokens();
    const { records } = kit.server.context;
    const [[, row] = []] = await records.authorizations.list();
    const add = async (clientId: string, id: string) => {
      const authorization = { ...present(row), clientId, id };
      await records.authorizations.put(id, authorization, forever);
      const rowId = joinId("alice", clientId, id);
      await records.userAuthorizations.put(rowId, { since: 0 }, forever);
    };
    for (let n = 0; n < 1000; n++) await add("demo-web", `${n}`);
    reads = 0;
    assertEquals(await connectedTo(kit, "alice"), ["demo-spa", "demo-web"]);
    assert(reads < 1000, `${reads} rows were read`);
  });

  it.inKit("S16: goes on after fifty clients, and names each of them once", async (kit) => {
    const { context } = kit.server;
    const alice = present(await findUser(context, "alice"));
    const consent = { scopeAt: {}, since: 0, userInstance: alice.instance };
    const ids = Array.from({ length: 120 }, (_, n) => `https://app.example/${n}`).sort();
    for (const id of ids) {
      await context.records.consents.put(joinId("alice", id, "1"), consent, forever);
    }
    const pages: string[][] = [];
    for (let after: string | undefined, isLast = false; !isLast;) {
      const { apps, next } = await listConnectedApps(context, alice, after);
      pages.push(apps.map(({ clientId }) => clientId));
      [after, isLast] = [next, next === undefined];
    }
    assertEquals([pages.map(({ length }) => length), pages.flat().sort()], [[50, 50, 20], ids]);
  });

  it("R07 is found without reading what other users allowed", async () => {
    const store = memoryStore();
    const seen: string[] = [];
    const kit = openKit({
      store: { ...store, list: async (kind, page) => spied(await store.list(kind, page)) },
    });
    await kit.tokens();
    const row = { value: { since: 0 }, expiresAt: 8e15 };
    for (let n = 0; n < 1000; n++) {
      await store.put("user-authorization", `zoe-${n}/demo-spa/x`, row);
    }
    await appsOf(kit, "alice");
    assertEquals(seen.length <= 300, true, `${seen.length} rows were read`);

    function spied<T>(rows: Array<[id: string, row: T]>): Array<[id: string, row: T]> {
      seen.push(...rows.map(([id]) => id));
      return rows;
    }
  });

  it("is a consent of their own, to a client that has not been replaced", async () => {
    const { server: { context } } = openKit();
    const alice = present(await findUser(context, "alice"));
    const spa = present(await findClient(context, "demo-spa"));
    await rememberConsent(context, alice, spa, { scope: ["read"], resources: [] });
    const [, consent] = present((await context.records.consents.list())[0]);
    const put = (id: string, changes: object) =>
      context.records.consents.put(joinId("alice", id, "1"), { ...consent, ...changes }, forever);
    await put("demo-web", { userInstance: "earlier" });
    await put("demo-service", { clientInstance: "earlier" });
    await put("gone", { clientInstance: "earlier" });
    const { apps } = await listConnectedApps(context, alice);
    assertEquals(apps.map(({ clientId }) => clientId).sort(), ["demo-spa", "gone"]);
  });
});

describe("Taking back what a client was allowed", () => {
  it.inKit("R07 ends its codes and all of its tokens at once", async (kit) => {
    const { access_token, refresh_token } = await kit.tokens();
    const code = await kit.code();
    await disconnectApp(kit.server.context, "alice", "demo-spa", "test");
    assertEquals(await isActive(kit, access_token), false);
    assertEquals(await isActive(kit, refresh_token), false);
    assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    assertEquals((await kit.refresh(refresh_token)).body.error, "invalid_grant");
  });

  it.inKit("A38 lets the client ask again", async (kit) => {
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl());
    assertEquals((await browser.open(kit.authorizationUrl())).status, 303);
    await disconnectApp(kit.server.context, "alice", "demo-spa", "test");
    const page = await browser.open(kit.authorizationUrl());
    assertEquals([page.status, page.html.includes('id="consent"')], [200, true]);
    assertEquals(kit.events.some(({ type }) => type === "consent.withdrawn"), true);
  });

  it.inKit("R07 leaves other clients and other users as they are", async (kit) => {
    const { access_token } = await kit.tokens({}, { user: "bob" });
    await kit.tokens();
    await kit.code({ client_id: "demo-web" });
    await disconnectApp(kit.server.context, "alice", "demo-spa", "test");
    assertEquals(await isActive(kit, access_token), true);
    assertEquals(await connectedTo(kit, "alice"), ["demo-web"]);
    assertEquals(await connectedTo(kit, "bob"), ["demo-spa"]);
  });
});

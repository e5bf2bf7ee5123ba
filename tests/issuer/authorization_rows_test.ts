import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createAdministration } from "../../src/administration/administration.ts";
import { findIdleRefreshers } from "../../src/administration/idle_refreshers.ts";
import {
  authorizationsOfClient,
  authorizationsOfUser,
} from "../../src/server/issuer/authorizations/authorization_rows.ts";
import { createAssertedAuthorization } from "../../src/server/issuer/authorizations/authorizations.ts";
import { disconnectApp } from "../../src/server/issuer/authorizations/withdrawals.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { joinId } from "../../src/server/issuer/records/row_id.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { day } from "../../src/server/util/time/duration.ts";
import { basic } from "../support/flow_kit.ts";
import { isActive, type Kit, openKit, openStrictKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const secret = "a-secret-of-32-characters-at-least";
const kinds = [
  ...["authorization", "user-authorization", "code", "refresh-token", "access-token"],
  ...["session", "user-session", "session-client", "interaction", "consent", "user-claim"],
];

const leading = "user-authorization";
const sessionClient = "session-client";

async function rowsIn(store: Store): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const kind of kinds) {
    for (const [id, { value }] of await store.list(kind, { limit: 1000 })) {
      rows.set(`${kind} ${id}`, JSON.stringify(value).length + id.length + kind.length);
    }
  }
  return rows;
}

/** Returns the kinds of the rows that one more flow leaves, and the bytes of the largest one. */
async function leftBy(clientId: string): Promise<{ left: string[]; bytes: number }> {
  const store = memoryStore();
  const client = { secret, redirectUris: ["https://hallpass.test/authorized"] };
  const kit = openStrictKit({
    store,
    clients: [
      { ...client, id: "refreshes" },
      { ...client, id: "never-refreshes", grantTypes: ["authorization_code"] },
    ],
  });
  const scope = "openid profile email offline_access";
  const url = kit.authorizationUrl({ client_id: clientId, scope });
  const browser = kit.browser();
  await browser.authorize(url);
  const before = await rowsIn(store);
  const { headers } = await browser.request(url);
  const code = present(new URL(present(headers.get("Location"))).searchParams.get("code"));
  const { status } = await kit.redeem(code, { client_id: undefined }, basic(clientId, secret));
  assertEquals(status, 200);
  const added = [...await rowsIn(store)].filter(([id]) => !before.has(id));
  return {
    left: added.map(([id]) => id.slice(0, id.indexOf(" "))),
    bytes: Math.max(...added.map(([, bytes]) => bytes)),
  };
}

async function idsOf(kit: Kit, subject: string, clientId?: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of authorizationsOfUser(kit.server.context, subject, clientId)) {
    ids.push(id);
  }
  return ids;
}

/** Makes an authorization look as an earlier version wrote it. */
async function asWrittenEarlier(store: Store): Promise<void> {
  const [id, row] = present((await store.list("authorization"))[0]);
  const [leading, leadingRow] = present((await store.list("user-authorization"))[0]);
  const earlier = "A".repeat(22);
  await store.delete("authorization", id);
  await store.delete("user-authorization", leading);
  await store.put("authorization", earlier, {
    ...row,
    value: { ...row.value as object, id: earlier },
  });
  await store.put("user-authorization", joinId("alice", "demo-spa", earlier), leadingRow);
}

describe("What a flow leaves in the store", () => {
  it("is two rows of 400 bytes for a client that cannot refresh", async () => {
    const { left, bytes } = await leftBy("never-refreshes");
    assertEquals(left, ["authorization", "code"]);
    assert(bytes <= 400, `${bytes} bytes`);
  });

  it("is three rows of 400 bytes for a client that can", async () => {
    const { left, bytes } = await leftBy("refreshes");
    assertEquals(left, ["authorization", "code", "refresh-token"]);
    assert(bytes <= 400, `${bytes} bytes`);
  });
});

describe("The authorizations of a user", () => {
  it("are found by one row for each client", async () => {
    const kit = openKit();
    for (let n = 0; n < 3; n++) await kit.tokens();
    await kit.code({ client_id: "demo-web" });
    const { userAuthorizations } = kit.server.context.records;
    const ids = (await userAuthorizations.list()).map(([id]) => id);
    assertEquals(ids, ["alice/demo-spa/", "alice/demo-web/"]);
    assertEquals((await idsOf(kit, "alice")).length, 4);
    assertEquals((await idsOf(kit, "alice", "demo-spa")).length, 3);
    assertEquals(await idsOf(kit, "bob"), []);
    const ofClient: number[] = [];
    for await (const page of authorizationsOfClient(kit.server.context, "demo-spa")) {
      ofClient.push(page.length);
    }
    assertEquals(ofClient, [3]);
  });

  it("are found although a later one of the same client ended at once", async () => {
    const kit = openKit();
    await kit.tokens();
    const { context } = kit.server;
    const client = present(await findClient(context, "demo-spa"));
    const user = present(await findUser(context, "alice"));
    const access = { scope: ["read"], resources: [], authorizationDetails: [] };
    await createAssertedAuthorization(context, client, user, access);
    kit.clock.advance(2 * day);
    assertEquals((await idsOf(kit, "alice")).length, 1);
  });

  it("are found although lifetimes are shorter since", async () => {
    for (
      const later of [{ refreshToken: "1d" }, { accessToken: "1m", refreshToken: "1m" }] as const
    ) {
      const store = memoryStore();
      const kit = openKit({ store });
      const { refresh_token } = await kit.tokens();
      const lowered = openKit({ store, lifetimes: later });
      await lowered.tokens();
      kit.clock.advance(3 * day);
      lowered.clock.advance(3 * day);
      assertEquals((await kit.refresh(present(refresh_token))).status, 200);
      assertEquals((await idsOf(lowered, "alice")).length, 1);
    }
  });

  it("are found after a day of logins, and after what leads to them was deleted", async () => {
    const store = memoryStore();
    const kit = openKit({ store });
    const browser = kit.browser();
    const ofKind = async (kind: string) => present((await store.list(kind))[0])[1];
    const signIn = () => browser.authorize(kit.authorizationUrl({ scope: "openid" }));
    await signIn();
    const first = { leading: await ofKind(leading), session: await ofKind(sessionClient) };
    await signIn();
    // It was read only: requests that write the same row wait for each other.
    assertEquals(await ofKind(leading), first.leading);
    assertEquals(await ofKind(sessionClient), first.session);
    for (const [id] of await store.list(leading)) await store.delete(leading, id);
    for (const [id, row] of await store.list(sessionClient)) {
      await store.put(sessionClient, id, { ...row, value: { subject: "another" } });
    }
    await signIn();
    assertEquals((await idsOf(kit, "alice")).length, 3);
    assertEquals((await ofKind(sessionClient)).value, first.session.value);
    kit.clock.advance(1 * day);
    await signIn();
    assertEquals((await ofKind(leading)).expiresAt, first.leading.expiresAt + 1 * day * 1000);
  });

  it("lead from their session for as long as tokens of the server with the longest lifetimes", async () => {
    const store = memoryStore();
    const [long, short] = [
      openKit({ store }),
      openKit({ store, lifetimes: { refreshToken: "1d" } }),
    ];
    const browser = long.browser();
    const expiry = async () => present((await store.list(sessionClient))[0])[1].expiresAt;
    await browser.authorize(long.authorizationUrl({ scope: "openid" }));
    const first = await expiry();
    const other = short.browser(browser);
    await other.authorize(short.authorizationUrl({ scope: "openid" }));
    assertEquals(await expiry(), first);
    await browser.authorize(long.authorizationUrl({ scope: "openid" }));
    assertEquals(await expiry(), first);
  });

  it("are found for two years, if that was their lifetime before a restart", async () => {
    const store = memoryStore();
    const kit = openKit({ store, lifetimes: { refreshToken: "730d", refreshIdle: "730d" } });
    const { refresh_token } = await kit.tokens();
    const lowered = openKit({ store });
    await lowered.tokens();
    for (const each of [kit, lowered]) each.clock.advance(700 * day);
    assertEquals((await kit.refresh(present(refresh_token))).status, 200);
    assertEquals((await idsOf(lowered, "alice")).length, 1);
  });

  it("begin alike at one client only, so that no API links a user at two clients", async () => {
    const kit = openKit();
    await kit.code({ client_id: "demo-web" });
    await kit.tokens();
    await kit.tokens({}, { user: "bob" });
    const ids = [...await idsOf(kit, "alice"), ...await idsOf(kit, "bob")];
    const [ofSpa, ofWeb, ofBob] = ids.map((id) => [id.slice(0, 6), id.slice(6, 14)]);
    assert(ofSpa?.[0] !== ofWeb?.[0] && ofSpa?.[0] === ofBob?.[0]);
    assertEquals(new Set([ofSpa?.[1], ofWeb?.[1], ofBob?.[1]]).size, 3);
  });

  it("are also those that an earlier version wrote, and end with the others", async () => {
    const store = memoryStore();
    const kit = openKit({ store });
    const earlier = await kit.tokens();
    await asWrittenEarlier(store);
    // The next server on the store.
    const later = openKit({ store });
    const { access_token } = await later.tokens();
    assertEquals((await idsOf(later, "alice")).length, 2);
    await disconnectApp(later.server.context, "alice", "demo-spa", "a test");
    assertEquals(await idsOf(later, "alice"), []);
    for (const token of [earlier.access_token, access_token]) {
      assertEquals(await isActive(later, present(token)), false);
    }
  });

  it("leave no row once their user is removed", async () => {
    const kit = openKit({ users: [] });
    const admin = createAdministration(kit.server.context);
    await admin.users.add({ name: "zoe", password: "correct horse battery" });
    await kit.tokens({}, { user: "zoe", password: "correct horse battery" });
    await admin.users.remove("zoe");
    const { authorizations, userAuthorizations } = kit.server.context.records;
    assertEquals([...await authorizations.list(), ...await userAuthorizations.list()], []);
  });
});

describe("A client that uses none of its refresh tokens", () => {
  it("is found after a thousand of them, and no longer once it refreshes", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const { refresh_token } = await kit.tokens();
    const [[, first] = []] = await context.records.authorizations.list();
    for (let n = 0; n < 1000; n++) {
      const id = `${present(first).id}${n}`;
      await context.records.authorizations.put(id, { ...present(first), id }, forever);
      if (n === 998) assertEquals(await findIdleRefreshers(context, ["demo-spa"]), []);
    }
    assertEquals(await findIdleRefreshers(context, ["demo-spa", "demo-web"]), ["demo-spa"]);
    await kit.refresh(present(refresh_token));
    assertEquals(await findIdleRefreshers(context, ["demo-spa"]), []);
  });
});

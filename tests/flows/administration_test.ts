import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import * as clients from "../../src/administration/clients.ts";
import * as users from "../../src/administration/users.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import { listClients, listUsers } from "../../src/server/issuer/directory/directory_entries.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { UserActions } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import {
  basic,
  isActive,
  type Kit,
  openKit,
  type ReadResponse,
  seesTokens,
} from "../support/kit.ts";

const it = itWith({ withBoth: () => openBoth(), withAppAndDora: () => openWithBoth() });

const redirectUris = ["https://hallpass.test/authorized"];
const scopes = ["openid", "profile", "read"];
const app = { id: "app", secret: "app-secret-of-22-chars", redirectUris, scopes };
const dora = { name: "dora", password: "dora-password" };

/**
 * Somebody who administers the store, and a server that was there before and knows nothing of it.
 */
function openBoth(): { admin: Kit; kit: Kit } {
  const store = memoryStore();
  return { kit: openKit({ store }), admin: openKit({ store }) };
}

/** The same, once app and dora were added. */
async function openWithBoth(): Promise<{ admin: Kit; kit: Kit }> {
  const both = openBoth();
  await clients.add(both.admin.server.context, app);
  await users.add(both.admin.server.context, dora);
  return both;
}

const asDora: UserActions = { user: "dora", password: "dora-password" };
const disableApp = ({ server }: Kit) => clients.disable(server.context, "app");
const disableDora = ({ server }: Kit) => users.disable(server.context, "dora");

async function tokensOf(kit: Kit, user: UserActions = {}): Promise<ReadResponse> {
  return await kit.redeem(
    await kit.code({ client_id: "app" }, user),
    {},
    basic("app", "app-secret-of-22-chars"),
  );
}

const userinfo = async (kit: Kit, token: string) => (await kit.userinfo(token)).status;

async function refreshed(kit: Kit, refresh_token: string): Promise<number> {
  return (await kit.refresh(refresh_token, {}, basic("app", "app-secret-of-22-chars"))).status;
}

describe("Administration of the store beside a running server", () => {
  it.withBoth("adds a client that can be used at once", async ({ admin, kit }) => {
    await clients.add(admin.server.context, app);
    assertEquals((await tokensOf(kit)).status, 200);
  });

  it.withBoth("adds a user who can sign in at once", async ({ admin, kit }) => {
    await clients.add(admin.server.context, app);
    await users.add(admin.server.context, dora);
    assertEquals((await tokensOf(kit, { user: "dora", password: "dora-password" })).status, 200);
  });

  const ends: Array<[what: string, end: (kit: Kit) => Promise<unknown>]> = [
    ["disabling a client", ({ server }) => clients.disable(server.context, "app")],
    ["removing a client", ({ server }) => clients.remove(server.context, "app")],
    ["disabling a user", ({ server }) => users.disable(server.context, "dora")],
    ["removing a user", ({ server }) => users.remove(server.context, "dora")],
  ];
  for (const [what, end] of ends) {
    it.withBoth(`${what} makes all tokens dead at once`, async ({ admin, kit }) => {
      await clients.add(admin.server.context, app);
      await users.add(admin.server.context, dora);
      const { body } = await tokensOf(kit, { user: "dora", password: "dora-password" });
      assertEquals(await userinfo(kit, body.access_token), 200);
      await end(admin);
      assertEquals(await userinfo(kit, body.access_token), 401);
      assertEquals(await refreshed(kit, body.refresh_token) === 200, false);
    });
  }

  for (
    const [what, end, again] of [
      ["a client", disableApp, (kit: Kit) => clients.enable(kit.server.context, "app")],
      ["a user", disableDora, (kit: Kit) => users.enable(kit.server.context, "dora")],
    ] as const
  ) {
    it.withAppAndDora(`M2: brings nothing back when ${what} is enabled again`, async ({ admin, kit }) => {
      const { body } = await tokensOf(kit, asDora);
      await end(admin);
      await again(admin);
      assertEquals(await userinfo(kit, body.access_token), 401);
      assertEquals(await refreshed(kit, body.refresh_token), 400);
      assertEquals((await tokensOf(kit, asDora)).status, 200);
    });
  }

  it.withAppAndDora("M2: ends a client's own tokens for good when it is disabled, and when its id is given again", async ({ admin, kit }) => {
    const { context } = admin.server;
    const own = {
      id: "own",
      secret: app.secret,
      grantTypes: ["client_credentials"],
      scopes: ["read"],
      ...seesTokens,
    };
    await clients.add(context, own);
    const get = async () =>
      (await kit.token({ grant_type: "client_credentials" }, basic("own", app.secret))).body
        .access_token;
    const first = await get();
    await clients.disable(context, "own");
    await clients.enable(context, "own");
    const second = await get();
    await clients.remove(context, "own");
    await clients.add(context, own);
    const active = await Promise.all(
      [first, second, await get()].map((token) => isActive(kit, token)),
    );
    assertEquals(active, [false, false, true]);
  });

  for (
    const [what, change] of [
      [
        "another password",
        (kit: Kit) => users.setPassword(kit.server.context, "dora", "another-password"),
      ],
      ["a sign-out by the operator", (kit: Kit) => users.signOut(kit.server.context, "dora")],
    ] as const
  ) {
    it.withAppAndDora(`M2: ends every session and token of a user with ${what}`, async ({ admin, kit }) => {
      const browser = kit.browser();
      const url = kit.authorizationUrl({
        client_id: "app",
        scope: "openid offline_access",
        prompt: "consent",
      });
      const code = new URL(await browser.authorize(url, asDora)).searchParams.get("code")!;
      const { body } = await kit.redeem(code, {}, basic("app", app.secret));
      await change(admin);
      assertEquals(await userinfo(kit, body.access_token), 401);
      assertEquals(await refreshed(kit, body.refresh_token), 400);
      const silent = await browser.authorize(
        kit.authorizationUrl({ client_id: "app", prompt: "none" }),
      );
      assertStringIncludes(silent, "error=login_required");
    });
  }

  it.withAppAndDora("ends the session itself when the operator signs a user out", async ({ admin, kit }) => {
    await kit.browser().authorize(kit.authorizationUrl({ client_id: "app" }), asDora);
    await users.signOut(admin.server.context, "dora");
    assertEquals(admin.events.filter(({ type }) => type === "session.ended").length, 1);
  });

  it.withAppAndDora("M2: signs out a user of the configuration as well", async ({ admin, kit }) => {
    const { access_token } = (await tokensOf(kit, { user: "alice" })).body;
    const other = (await tokensOf(kit, { user: "bob" })).body;
    await users.signOut(admin.server.context, "alice");
    assertEquals(await userinfo(kit, access_token), 401);
    assertEquals(await userinfo(kit, other.access_token), 200);
  });

  it.withAppAndDora("keeps what a user has allowed after a password change", async ({ admin, kit }) => {
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl({ client_id: "app" }), asDora);
    await users.setPassword(admin.server.context, "dora", "another-password");
    await browser.authorize(kit.authorizationUrl({ client_id: "demo-web" }), {
      user: "dora",
      password: "another-password",
    });
    assertStringIncludes(
      await browser.authorize(kit.authorizationUrl({ client_id: "app", prompt: "none" })),
      "code=",
    );
  });

  it.withBoth("brings nothing back when the same name is given again", async ({ admin, kit }) => {
    const { context } = admin.server;
    await clients.add(context, app);
    await users.add(context, dora);
    const one = (await tokensOf(kit, { user: "dora", password: "dora-password" })).body;
    await clients.remove(context, "app");
    await clients.add(context, app);
    assertEquals(await userinfo(kit, one.access_token), 401);
    const other = (await tokensOf(kit, { user: "dora", password: "dora-password" })).body;
    await users.remove(context, "dora");
    await users.add(context, dora);
    assertEquals(await userinfo(kit, other.access_token), 401);
  });

  it("forgets the consents and the sessions of a user and a client that are removed", async () => {
    const { admin, kit } = openBoth();
    const { context } = admin.server;
    await clients.add(context, app);
    await users.add(context, dora);
    const browser = kit.browser();
    const url = kit.authorizationUrl({ client_id: "app", prompt: "none" });
    await browser.authorize(kit.authorizationUrl({ client_id: "app" }), {
      user: "dora",
      password: "dora-password",
    });
    assertStringIncludes(await browser.authorize(url), "code=");
    await clients.remove(context, "app");
    await clients.add(context, app);
    assertStringIncludes(await browser.authorize(url), "error=consent_required");
    await browser.authorize(kit.authorizationUrl({ client_id: "app" }));
    await users.remove(context, "dora");
    await users.add(context, dora);
    assertStringIncludes(await browser.authorize(url), "error=login_required");
    await browser.authorize(kit.authorizationUrl(), { user: "dora", password: "dora-password" });
    assertStringIncludes(await browser.authorize(url), "error=consent_required");
  });

  it.withBoth("gives a user another password", async ({ admin, kit }) => {
    await clients.add(admin.server.context, app);
    await users.add(admin.server.context, dora);
    await users.setPassword(admin.server.context, "dora", "another-password");
    assertEquals((await tokensOf(kit, { user: "dora", password: "another-password" })).status, 200);
    await assertRejects(() => tokensOf(kit, { user: "dora", password: "dora-password" }));
  });

  it.withBoth("lists what the configuration and what the store knows", async ({ admin }) => {
    await clients.add(admin.server.context, app);
    await users.add(admin.server.context, dora);
    const listed = (await listClients(admin.server.context)).map(({ from, value }) =>
      `${from} ${value.id}`
    );
    assertEquals(listed.slice(-2), ["configuration demo-service", "store app"]);
    assertEquals((await listUsers(admin.server.context)).at(-1)?.from, "store");
  });

  it.withBoth("keeps neither a secret nor a password in the clear", async ({ admin }) => {
    const client = await clients.add(admin.server.context, app);
    const user = await users.add(admin.server.context, dora);
    assertEquals(/app-secret-of|dora-password/.test(JSON.stringify([client, user])), false);
  });

  it.withBoth("lets one of two win that add the same name at once", async ({ admin }) => {
    const both = await Promise.allSettled([
      clients.add(admin.server.context, app),
      clients.add(admin.server.context, app),
    ]);
    assertEquals(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });
});

describe("Administration of the store", () => {
  const refused: Array<[says: string, act: (kit: Kit) => Promise<unknown>]> = [
    [
      "The client 'demo-spa' is in the configuration and can only be changed there.",
      ({ server }) => clients.remove(server.context, "demo-spa"),
    ],
    [
      "The client 'demo-spa' is in the configuration and can only be changed there.",
      ({ server }) => clients.add(server.context, { ...app, id: "demo-spa" }),
    ],
    [
      "The user 'alice' is in the configuration and can only be changed there.",
      ({ server }) => users.disable(server.context, "alice"),
    ],
    ["There is no client 'nobody'.", ({ server }) => clients.disable(server.context, "nobody")],
    ["There is no user 'nobody'.", ({ server }) => users.remove(server.context, "nobody")],
    ["There is already a client 'app'.", ({ server }) => clients.add(server.context, app)],
    ["There is already a user 'dora'.", ({ server }) => users.add(server.context, dora)],
    [
      "The 'sub' 'alice' already belongs to another user.",
      ({ server }) => users.add(server.context, { name: "al", sub: "alice" }),
    ],
    [
      "The 'sub' 'app' is already the id of a client; choose another one.",
      ({ server }) => users.add(server.context, { name: "app" }),
    ],
    [
      "The name 'dora' is already the 'sub' of a user; choose another one.",
      ({ server }) => clients.add(server.context, { ...app, id: "dora" }),
    ],
  ];
  for (const [message, act] of refused) {
    it.withBoth(`refuses: ${message}`, async ({ admin }) => {
      await clients.add(admin.server.context, app);
      await users.add(admin.server.context, dora);
      await assertRejects(() => act(admin), AdminError, message);
    });
  }

  it("checks a client like one of the configuration, and reports everything at once", async () => {
    const { admin } = openBoth();
    const config = { id: "x", redirectUris: ["http://app.example/cb"], pkce: "optional" as const };
    await assertRejects(
      () => clients.add(admin.server.context, config),
      ConfigError,
      `Cannot add the client: 2 problems in its configuration
  - redirectUris[0] uses http with the host 'app.example', which is not loopback
  - pkce can be optional only for confidential clients`,
    );
  });
});

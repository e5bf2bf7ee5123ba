import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { add as addClient, remove as removeClient } from "../../src/administration/clients.ts";
import * as users from "../../src/administration/users.ts";
import { hasConsented } from "../../src/server/issuer/authorizations/consents.ts";
import { disconnectApp } from "../../src/server/issuer/authorizations/withdrawals.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { maintainKeys } from "../../src/server/issuer/keys/rotate_keys.ts";
import { withLock } from "../../src/server/issuer/records/lock.ts";
import { findUser } from "../../src/server/issuer/users/users.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Browser, Page, UserActions } from "../support/browser.ts";
import { basic, endToken, isActive, type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { interruptEachCall, interruptibleStore } from "../support/stores.ts";
import type { Tokens } from "../support/wire.ts";

const secret = "app-secret-of-22-chars";
const redirectUris = ["https://hallpass.test/authorized"];
const scopes = ["openid", "profile", "read"];
const app = { id: "app", secret, redirectUris, scopes, idTokenAlg: "EdDSA" as const };
const dora = { name: "dora", password: "dora" };
const asDora: UserActions = { user: "dora", password: "dora" };

interface World {
  kit: Kit;
  browser: Browser;
  /** The tokens of a flow that ended before the race. */
  tokens: Tokens;
  /** What the race brought. */
  code?: string;
  /** Whether the interruption has happened, to its end. */
  ended?: boolean;
}

/**
 * A server on a store with a client and a user of its own, a browser in which the user has signed
 * in and allowed, and tokens.
 */
async function openWorld(store: Store): Promise<World> {
  const kit = openKit({ store });
  await addClient(kit.server.context, app);
  await users.add(kit.server.context, dora);
  const browser = kit.browser();
  const code = codeIn(await browser.authorize(kit.authorizationUrl({ client_id: "app" }), asDora));
  return { kit, browser, tokens: await redeem(kit, code) };
}

function codeIn(url: string): string {
  return new URL(url).searchParams.get("code") ?? "";
}

async function redeem(kit: Kit, code: string): Promise<Tokens> {
  return (await kit.redeem(code, {}, basic("app", secret))).body;
}

/** One request of a browser that is signed in, with consent that is remembered. */
async function authorizeAgain(world: World): Promise<void> {
  const response = await world.browser.request(world.kit.authorizationUrl({ client_id: "app" }));
  world.code = codeIn(new URL(response.headers.get("Location")!, world.kit.issuer).href);
}

/** Whether the code that the race brought, if any, is worth anything. */
async function isCodeAlive({ kit, code }: World): Promise<boolean> {
  const { access_token } = code ? await redeem(kit, code) : { access_token: undefined };
  return access_token !== undefined && await isActive(kit, access_token);
}

describe("A removal that is cut short", () => {
  const removals = [
    [
      "user",
      (kit: Kit) => users.remove(kit.server.context, "dora"),
      (kit: Kit) => users.add(kit.server.context, dora),
    ],
    [
      "client",
      (kit: Kit) => removeClient(kit.server.context, "app"),
      (kit: Kit) => addClient(kit.server.context, app),
    ],
  ] as const;
  for (const [what, remove, addAgain] of removals) {
    it(`F3: is finished by saying it again, and the next ${what} of that name inherits nothing`, async () => {
      let store = interruptibleStore();
      const points = await interruptEachCall<World>({
        open: (opened) => openWorld(store = opened),
        act: ({ kit }) => remove(kit),
        interruption: async () => store.fail(true),
        async check(world, call) {
          store.fail(false);
          world.kit.clock.advance(60);
          await remove(world.kit).catch(() => {});
          await addAgain(world.kit);
          const { access_token, refresh_token } = world.tokens;
          const active = [
            await isActive(world.kit, access_token),
            await isActive(world.kit, refresh_token),
          ];
          assertEquals(active, [false, false], `after a death before call ${call}`);
        },
      });
      assert(points > 5, `${points} points of death`);
    });
  }
});

describe("A change in the middle of another one", () => {
  const endings: Record<string, typeof users.disable | typeof users.remove> = {
    "undo a disabling": users.disable,
    "bring a removed user back": users.remove,
  };
  for (const [what, end] of Object.entries(endings)) {
    it(`F4: another password does not ${what}`, async () => {
      await interruptEachCall<World>({
        open: openWorld,
        act: ({ kit }) => users.setPassword(kit.server.context, "dora", "other"),
        async interruption(world) {
          // Where the user is being changed at that moment, this is refused.
          await end(world.kit.server.context, "dora").then(() => world.ended = true, () => {});
        },
        async check({ kit, ended }, call) {
          const isThere = await findUser(kit.server.context, "dora") !== undefined;
          assertEquals(isThere, !ended, `before call ${call}`);
        },
      });
    });
  }

  it("gives one 'sub' to one of two users who are added at once", async () => {
    const { context } = openKit().server;
    const add = (name: string) => users.add(context, { name, sub: "same", password: "p" });
    const both = await Promise.allSettled([add("one"), add("two")]);
    assertEquals(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });
});

describe("An interaction that was completed", () => {
  /**
   * A sign-in page of an interaction in two tabs, and the consent page that comes after one of
   * them.
   */
  async function openTwoTabs(store?: Store) {
    const kit = openKit({ store });
    const browser = kit.browser();
    const signIn = await browser.open(kit.authorizationUrl());
    const fields = { username: "alice", password: "alice" };
    const consent = await browser.submit(signIn, "sign-in", fields);
    return { kit, browser, signIn, consent, fields };
  }

  it("L2 F7: is not revived by a sign-in form that was still open", async () => {
    const { browser, signIn, consent, fields } = await openTwoTabs();
    const denied = await browser.decide(consent, "deny");
    assertEquals(new URL(denied.url).searchParams.get("error"), "access_denied");
    const late = await browser.submit(signIn, "sign-in", fields);
    assertEquals([late.status, late.html.includes("already completed")], [400, true]);
  });

  it("F7: issues one code, even with concurrent requests", async () => {
    const codes = (kit: Kit) => kit.events.filter(({ type }) => type === "code.issued").length;
    await interruptEachCall<Awaited<ReturnType<typeof openTwoTabs>>>({
      open: openTwoTabs,
      act: ({ browser, signIn, fields }) => browser.submit(signIn, "sign-in", fields),
      interruption: ({ browser, consent }) => browser.decide(consent),
      check: async ({ kit, browser, consent }, call) => {
        await browser.decide(consent).catch(() => {});
        await browser.open(consent.url);
        assert(codes(kit) <= 1, `${codes(kit)} codes, before call ${call}`);
      },
    });
  });
});

describe("A response that is lost", () => {
  it("leaves the user a way to continue, or to notify the client", async () => {
    let store = interruptibleStore();
    await interruptEachCall<{ kit: Kit; browser: Browser; consent: Page }>({
      async open(opened) {
        const kit = openKit({ store: store = opened });
        const browser = kit.browser();
        const signIn = await browser.open(kit.authorizationUrl());
        return { kit, browser, consent: await browser.signIn(signIn) };
      },
      act: ({ browser, consent }) => browser.decide(consent),
      interruption: async () => store.fail(true),
      async check({ browser, consent }, call) {
        store.fail(false);
        const { html } = await browser.open(consent.url);
        const link = /id="onward" href="([^"]*)"/.exec(html)?.[1] ?? "";
        assert(
          html.includes('id="consent"') || /[?&]error=.*state=a-state/.test(link),
          `before call ${call}: ${html}`,
        );
      },
    });
  });
});

describe("A sign-out in one tab while another one gets a new session cookie", () => {
  it("ends the session, even with the cookie that was replaced", async () => {
    const kit = openKit();
    const browser = kit.browser();
    const code = present((await kit.authorize({}, undefined, browser)).get("code"));
    const { access_token } = (await kit.redeem(code)).body;
    const otherTab = kit.browser(browser);
    const home = await otherTab.open(`${kit.issuer}/`);
    await kit.authorize({ prompt: "login" }, undefined, browser);
    assertEquals(await isActive(kit, access_token), true);
    await otherTab.submit(home, "sign-out");
    assertEquals(await isActive(kit, access_token), false);
    const silent = await kit.authorize({ prompt: "none" }, undefined, browser);
    assertEquals(silent.get("error"), "login_required");
  });
});

describe("A lock", () => {
  /** Takes a lock and dies with it. */
  const hold = ({ context }: Kit["server"]) =>
    new Promise<void>((held) => {
      withLock(context, "x", () => new Promise(() => held()));
    });
  const attempt = ({ context }: Kit["server"]) =>
    withLock(context, "x", async () => {}).then(() => "held", () => "refused");

  it("W1: is free again once the process that held it has been dead for its time", async () => {
    const { server, clock } = openKit();
    await hold(server);
    assertEquals(await attempt(server), "refused");
    clock.advance(14);
    assertEquals(await attempt(server), "refused");
    clock.advance(16);
    assertEquals(await attempt(server), "held");
  });

  it("W1: is held by one at a time on both sides of a border between two slots", async () => {
    for (const [before, after] of [[14.999, 15.001], [29.999, 30]]) {
      const { server, clock } = openKit();
      clock.advance(present(before));
      await hold(server);
      clock.advance(present(after) - present(before));
      assertEquals(await attempt(server), "refused");
      clock.advance(present(before) - present(after));
      assertEquals(await attempt(server), "refused", "by a process whose clock is behind");
    }
  });
});

describe("A clock that was ahead for a while", () => {
  /** Runs the clock forward, sweeps, and puts the clock back. */
  async function jump({ clock, server }: Kit, seconds: number): Promise<void> {
    clock.advance(seconds);
    while (await server.context.records.sweep() > 0);
    clock.advance(-seconds);
  }

  it("F8: makes no revoked access token valid again", async () => {
    const kit = openKit();
    const { access_token } = await kit.tokens();
    await endToken(kit, access_token);
    await jump(kit, 23 * 3600);
    assertEquals(await isActive(kit, access_token), false);
  });

  it("F8: makes no used assertion and no DPoP proof fresh again", async () => {
    const kit = openKit();
    const { usedAssertions, dpopProofs } = kit.server.context.records;
    await usedAssertions.add("assertion", null, kit.clock.now + 60_000);
    await dpopProofs.add("proof", null, kit.clock.now + 60_000);
    await jump(kit, 3500);
    const again = await Promise.all(
      [usedAssertions, dpopProofs].map((table, at) =>
        table.add(present(["assertion", "proof"][at]), null, 0)
      ),
    );
    assertEquals(again, [false, false]);
  });

  it("does not widen the grace of a refresh token", async () => {
    const kit = openKit({ refreshReuseGrace: "10s" });
    const { refresh_token } = await kit.tokens();
    kit.clock.advance(3600);
    await kit.refresh(refresh_token);
    kit.clock.advance(-3600);
    assertEquals((await kit.refresh(refresh_token)).status, 400);
  });

  it("does not stop key rotation for years", async () => {
    const kit = openKit({ keyRotation: "90d", alg: "ES256" });
    const kidOfNewToken = async () => decodeProtectedHeader((await kit.tokens()).access_token).kid;
    const first = await kidOfNewToken();
    const upkeep = () => maintainKeys(kit.server.context);
    kit.clock.advance(20 * 365 * 86_400);
    await upkeep();
    kit.clock.advance(-20 * 365 * 86_400);
    for (let day = 0; day < 92; day++, kit.clock.advance(86_400)) await upkeep();
    assert(await kidOfNewToken() !== first, "the first key still signs");
  });
});

describe("Access that is taken back while an authorization is on its way", () => {
  it("F6: leaves neither its code nor its tokens alive, where the consent was remembered", async () => {
    await interruptEachCall<World>({
      open: openWorld,
      act: authorizeAgain,
      interruption: ({ kit }) => disconnectApp(kit.server.context, "dora", "app", "test"),
      async check(world, call) {
        // Where nothing was taken back, the code is as good as any.
        const wasTakenBack = !await isRemembered(world.kit);
        assertEquals(await isCodeAlive(world) && wasTakenBack, false, `before call ${call}`);
      },
    });
  });

  it("F6: does not bring back what was allowed before, by a consent that is under way", async () => {
    await interruptEachCall<World>({
      open: openWorld,
      act: ({ kit, browser }) =>
        browser.authorize(kit.authorizationUrl({ client_id: "app", scope: "write" })),
      interruption: ({ kit }) => disconnectApp(kit.server.context, "dora", "app", "test"),
      async check({ kit }, call) {
        const wasInterrupted = kit.events.some(({ type }) => type === "consent.withdrawn");
        assertEquals(wasInterrupted && await isRemembered(kit), false, `before call ${call}`);
      },
    });
  });

  const endings = [
    ["its user is removed, and added again", removeAndAddUser],
    ["its client is removed, and added again", removeAndAddClient],
    ["its user is disabled, and enabled again", disableAndEnable],
    [
      "its user gets another password",
      ({ kit }: World) => users.setPassword(kit.server.context, "dora", "other"),
    ],
  ] as const;
  for (const [what, end] of endings) {
    it(`F6: is worth nothing once ${what}`, async () => {
      await interruptEachCall<World>({
        open: openWorld,
        act: authorizeAgain,
        interruption: async (world) => {
          await end(world);
          world.ended = true;
        },
        check: async (world, call) =>
          assertEquals(await isCodeAlive(world), !world.ended, `before call ${call}`),
      });
    });
  }

  it("ends a sign-in whose password was being checked while its user was removed, and the name given again", async () => {
    await interruptEachCall<World>({
      async open(store) {
        const world = await openWorld(store);
        return { ...world, browser: world.kit.browser() };
      },
      async act({ kit, browser }) {
        const page = await browser.open(kit.authorizationUrl());
        await browser.signIn(page, "dora");
      },
      async interruption(world) {
        await users.remove(world.kit.server.context, "dora");
        await users.add(world.kit.server.context, { ...dora, password: "of somebody else" });
        world.ended = true;
      },
      async check({ kit, browser, ended }, call) {
        const { status } = await browser.open(
          kit.authorizationUrl({ prompt: "none", scope: "read" }),
        );
        const location = (await browser.request(kit.authorizationUrl({ prompt: "none" }))).headers
          .get("Location")!;
        assertEquals(
          [status, location.includes("login_required")],
          [303, ended === true],
          `before call ${call}`,
        );
      },
    });
  });
});

describe("A code that is swept between the check and its use", () => {
  it("has expired; that is no second use, and revokes nothing", async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      async consume(kind, id, at, keepUntil) {
        if (kind === "code") await inner.delete(kind, id);
        return await inner.consume(kind, id, at, keepUntil);
      },
    };
    const kit = openKit({ store });
    const { status, body } = await kit.redeem(await kit.code());
    assertEquals([status, body.error], [400, "invalid_grant"]);
    assertMatch(present(body.error_description), /unknown, expired/);
    assertEquals((await kit.server.context.records.authorizations.list()).length, 1);
  });
});

async function removeAndAddUser({ kit }: World): Promise<void> {
  await users.remove(kit.server.context, "dora");
  await users.add(kit.server.context, dora);
}

async function removeAndAddClient({ kit }: World): Promise<void> {
  await removeClient(kit.server.context, "app");
  await addClient(kit.server.context, app);
}

async function disableAndEnable({ kit }: World): Promise<void> {
  await users.disable(kit.server.context, "dora");
  await users.enable(kit.server.context, "dora");
}

/** Whether the consent of the first flow is remembered. */
async function isRemembered({ server: { context } }: Kit): Promise<boolean> {
  const [user, client] = [await findUser(context, "dora"), await findClient(context, "app")];
  const asked = { scope: ["openid", "profile", "read"], resources: [] };
  return user !== undefined && client !== undefined &&
    await hasConsented(context, { user }, client, asked);
}

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { logoutDeliveries } from "../../../src/server/features/backchannel_logout/logout_deliveries.ts";
import { takeTurns } from "../../../src/server/features/deliveries/due_rows.ts";
import { readIdTokenHint } from "../../../src/server/issuer/requests/id_token_hint.ts";
import { markSessionEnded } from "../../../src/server/issuer/sessions/sessions.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, type Kit, openKit, read } from "../../support/kit.ts";
import { signedIn, signInAt, signOut } from "../../support/logout.ts";
import { present } from "../../support/present.ts";
import { initialAccessToken, redirectUri, register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";

const it = itWith({ inListeningKit: openListeningKit });

interface Posted {
  url: string;
  token: string;
}

/** A kit with two clients that want to be told, and what was sent to them. */
function openListeningKit(config: Partial<LabConfig> = {}, ofOne: Partial<ClientConfig> = {}) {
  const posted: Posted[] = [];
  const answers: number[] = [];
  const listening = (id: string, more: Partial<ClientConfig> = {}): ClientConfig => {
    return {
      id,
      redirectUris: [`https://${id}.example/cb`],
      backchannelLogoutUri: `https://${id}.example/logout`,
      ...more,
    };
  };
  const kit = openKit({
    clients: [
      listening("one", ofOne),
      listening("two", { idTokenAlg: "ES256" }),
      { id: "deaf", redirectUris: ["https://deaf.example/cb"] },
    ],
    fetch: async (url, { body = "" }) => {
      posted.push({ url, token: new URLSearchParams(body).get("logout_token") ?? "" });
      const status = answers.shift() ?? 200;
      if (status === 0) throw new TypeError("connection refused");
      return new Response(null, { status });
    },
    ...config,
  });
  return { kit, posted, answers, idle: () => kit.server.context.background.idle() };
}

/** What is done a good while later, on the way of some other request. */
async function later(kit: Kit, seconds: number): Promise<void> {
  kit.clock.advance(seconds);
  await kit.get("/health");
  await kit.server.context.background.idle();
}

describe("Back-channel logout (OpenID Connect Back-Channel Logout)", () => {
  it("is checked where it is configured, and tried again every ten seconds", async () => {
    const backchannelLogoutUri = "http://a.example/logout";
    const client = { id: "a", redirectUris: ["https://a.example/cb"], backchannelLogoutUri };
    assertEquals(problemsOf({ issuer: "https://id.example", clients: [client] }), [
      "clients[0].backchannelLogoutUri uses http with the host 'a.example', which is not loopback",
    ]);
    const kit = openKit();
    const runs = async (seconds: number) => {
      await later(kit, seconds);
      return kit.events.filter((event) => event.type === "work.finished" && event.what === "logout")
        .length;
    };
    assertEquals([await runs(9), await runs(1), await runs(9), await runs(1)], [0, 1, 1, 2]);
  });

  it.inListeningKit("O14 sends a logout token with what it must contain, and no more", async ({ kit, posted, idle }) => {
    const { browser, idToken } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await idle();
    assertEquals(posted.map(({ url }) => url), ["https://one.example/logout"]);
    const { jti, ...claims } = claimsOf(present(posted[0]?.token));
    const iat = kit.clock.now / 1000;
    assertEquals(claims, {
      iss: kit.issuer,
      sub: "alice",
      aud: "one",
      iat,
      exp: iat + 120,
      sid: claimsOf(idToken).sid,
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    assert(jti.length > 20);
    assert(kit.events.some((event) => event.type === "logout.delivered" && event.client === "one"));
  });

  it("L8: names the sid that a client with pairwise subjects knows", async () => {
    const { kit, posted, idle } = openListeningKit({}, { subjectType: "pairwise" });
    const { browser, idToken } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await idle();
    assertEquals(claimsOf(present(posted[0]?.token)).sid, claimsOf(idToken).sid);
  });

  it.inListeningKit("O14 signs it with a published key, by the client's own algorithm, as a logout token and no other", async ({ kit, posted, idle }) => {
    const { browser } = await signInAt(kit, "one");
    await signInAt(kit, "two", browser);
    await signOut(kit, browser);
    await idle();
    const keys = createLocalJWKSet((await read(await kit.get("/oauth2/jwks"))).body);
    const algs = await Promise.all(
      posted.toSorted((a, b) => a.url < b.url ? -1 : 1).map(async ({ token }) => {
        const currentDate = new Date(kit.clock.now);
        return (await jwtVerify(token, keys, {
          typ: "logout+jwt",
          issuer: kit.issuer,
          currentDate,
        })).protectedHeader.alg;
      }),
    );
    assertEquals(algs, ["RS256", "ES256"]);
    assertEquals(await readIdTokenHint(kit.server.context, present(posted[0]?.token)), undefined);
  });

  it.inListeningKit("O14 notifies every client that has an ID token of the session, and no other", async ({ kit, posted, idle }) => {
    const { browser } = await signInAt(kit, "one");
    await signInAt(kit, "deaf", browser);
    await signInAt(kit, "two", browser, { scope: "read" });
    await signInAt(kit, "two", undefined, {}, "bob");
    await signOut(kit, browser);
    await idle();
    assertEquals(posted.map(({ url }) => url), ["https://one.example/logout"]);
  });

  it.inListeningKit("O14 notifies them as well when another user signs in with the same browser", async ({ kit, posted, idle }) => {
    const { browser, idToken } = await signInAt(kit, "one");
    await signInAt(kit, "one", browser, { prompt: "login" });
    await idle();
    assertEquals(posted, []);
    await signInAt(kit, "one", browser, { prompt: "login" }, "bob");
    await idle();
    assertEquals(posted.map(({ token }) => [claimsOf(token).sub, claimsOf(token).sid]), [[
      "alice",
      claimsOf(idToken).sid,
    ]]);
  });

  it("O14 does not delay the sign-out while a client takes its time", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { kit, idle } = openListeningKit({ fetch: () => promise });
    const { browser } = await signInAt(kit, "one");
    assertEquals((await signOut(kit, browser)).status, 303);
    assertEquals(kit.events.some(({ type }) => type === "logout.delivered"), false);
    resolve(new Response());
    await idle();
    assertEquals(kit.events.some(({ type }) => type === "logout.delivered"), true);
  });

  it.inListeningKit("O14 tries again later and later, with a new token each time, and then gives up", async ({ kit, posted, answers, idle }) => {
    answers.push(0, 500, 400, 302, 503, 200);
    const { browser } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await idle();
    const counts = [posted.length];
    for (const seconds of [20, 10, 120, 600, 3600, 86_400]) {
      await later(kit, seconds);
      counts.push(posted.length);
    }
    assertEquals(counts, [1, 1, 2, 3, 4, 5, 5]);
    assertEquals(new Set(posted.map(({ token }) => claimsOf(token).jti)).size, 5);
    const failed = kit.events.filter((event) => event.type === "logout.failed");
    assertEquals(failed.map(({ isLast }) => isLast), [false, false, false, false, true]);
  });

  it("O14 does not blame the client where the server cannot sign the token, and tries again", async () => {
    const store = memoryStore();
    let isBroken = false;
    const list: Store["list"] = async (kind, page) => {
      if (isBroken && kind === "key") throw new Error("The disk is on fire.");
      return await store.list(kind, page);
    };
    const { kit, posted, idle } = openListeningKit({ store: { ...store, list } });
    const { browser } = await signInAt(kit, "one");
    const home = await browser.open(`${kit.issuer}/`);
    kit.clock.advance(61);
    isBroken = true;
    await browser.submit(home, "sign-out");
    await idle();
    const types = kit.events.map(({ type }) => type).filter((type) => type.endsWith(".failed"));
    assertEquals(new Set(types), new Set(["work.failed"]));
    isBroken = false;
    await later(kit, 60);
    assertEquals(posted.length, 1);
  });

  it.inListeningKit("O14 stops when a client confirms", async ({ kit, posted, answers, idle }) => {
    answers.push(503, 204);
    const { browser } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await idle();
    for (const seconds of [30, 120, 600, 3600]) await later(kit, seconds);
    assertEquals(posted.length, 2);
    assertEquals(await logoutDeliveries(kit.server.context).list(), []);
  });

  it("O14 loses no delivery when the process stops in the middle of one", async () => {
    const store = memoryStore();
    const hanging = openListeningKit({ store, fetch: () => new Promise(() => {}) });
    const { browser } = await signInAt(hanging.kit, "one");
    logoutDeliveries(hanging.kit.server.context).delete = () =>
      Promise.reject(new Error("the process has stopped"));
    await signOut(hanging.kit, browser);
    await hanging.idle();
    const { kit, posted } = openListeningKit({ store });
    await later(kit, 30);
    assertEquals(posted.map(({ url }) => url), ["https://one.example/logout"]);
  });

  it("O14 makes each try once, though several processes share the store", async () => {
    const store = memoryStore();
    const { kit, posted, answers, idle } = openListeningKit({ store });
    answers.push(503);
    const { browser } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await idle();
    const others = [openListeningKit({ store }), openListeningKit({ store })];
    await Promise.all(others.map((other) => later(other.kit, 30)));
    assertEquals([posted.length, others.flatMap((other) => other.posted).length], [1, 1]);
  });

  it("O14 sends nothing to a client that is gone, and posts to an untrusted client's URI by the guarded fetch only", async () => {
    const guarded: string[] = [];
    const { kit, posted, idle } = openListeningKit({
      fetchUntrusted: async (url) => {
        guarded.push(url);
        return new Response();
      },
    });
    const { records, settings } = kit.server.context;
    const one = present(await settings.clients.get("one"));
    await records.clients.put("stranger", { ...one, id: "stranger", trusted: false }, 8.64e15);
    await records.clients.put("gone", { ...one, id: "gone" }, 8.64e15);
    const { browser } = await signInAt(kit, "stranger", undefined, {
      redirect_uri: one.redirectUris[0],
    });
    await signInAt(kit, "gone", browser, { redirect_uri: one.redirectUris[0] });
    await records.clients.delete("gone");
    await signOut(kit, browser);
    await idle();
    assertEquals([posted, guarded], [[], ["https://one.example/logout"]]);
  });

  /** Stores deliveries to untrusted clients, each of which fails. They are due, and come first. */
  async function addUntrusted({ server, clock }: Kit, count: number): Promise<void> {
    const { context, context: { records, settings } } = server;
    const one = present(await settings.clients.get("one"));
    for (let n = 0; n < count; n++) {
      const clientId = `!${n}`;
      const backchannelLogoutUri = `https://stranger.example/${n}`;
      const client = { ...one, id: clientId, trusted: false, backchannelLogoutUri };
      await records.clients.put(clientId, client, 8.64e15);
      const row = { id: clientId, clientId, untrusted: true, subject: "mallory", sid: "s" };
      const delivery = { ...row, attempt: 1, dueAt: clock.now - 60_000 };
      await logoutDeliveries(context).put(`${clientId}/1`, delivery, 8.64e15);
    }
  }

  it("S4: makes the attempts of the operator's clients, however many of others are due", async () => {
    const { kit, posted, answers, idle } = openListeningKit({
      fetchUntrusted: () => Promise.reject(new TypeError("connection refused")),
    });
    answers.push(0, 200);
    const { browser } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await idle();
    await addUntrusted(kit, 60);
    await later(kit, 30);
    assertEquals(posted.length, 2);
  });

  it("S4: attempts at once what was just stored, however many others are due", async () => {
    const guarded: string[] = [];
    const { kit, posted, idle } = openListeningKit({
      fetchUntrusted: async (url) => {
        guarded.push(url);
        return new Response(null, { status: 500 });
      },
    });
    await addUntrusted(kit, 60);
    const { browser } = await signInAt(kit, "one");
    await idle();
    guarded.length = 0;
    await signOut(kit, browser);
    await idle();
    assertEquals([posted.length, guarded], [1, []]);
  });

  /** Signs in at an untrusted client that cannot be reached, and signs out. */
  async function leaveUntrusted() {
    const tried: string[] = [];
    const { kit, idle } = openListeningKit({
      fetchUntrusted: async (url) => {
        tried.push(url);
        throw new TypeError("connection refused");
      },
    });
    const { records, settings } = kit.server.context;
    const one = present(await settings.clients.get("one"));
    await records.clients.put("stranger", { ...one, id: "stranger", trusted: false }, 8.64e15);
    const redirect_uri = one.redirectUris[0];
    const { browser } = await signInAt(kit, "stranger", undefined, { redirect_uri });
    const [[, session] = []] = await records.sessions.list();
    await signOut(kit, browser);
    await idle();
    return { kit, tried, session: present(session), idle };
  }

  it("S4: tries an untrusted client twice", async () => {
    const { kit, tried } = await leaveUntrusted();
    for (const seconds of [120, 600, 3600, 86_400]) await later(kit, seconds);
    assertEquals(tried.length, 2);
    assertEquals(await logoutDeliveries(kit.server.context).list(), []);
  });

  it("S4: has one attempt pending for a client and a session, however often that is ended", async () => {
    const { kit, tried, session, idle } = await leaveUntrusted();
    for (let n = 0; n < 5; n++) await markSessionEnded(kit.server.context, session);
    await idle();
    const pending = await logoutDeliveries(kit.server.context).list();
    assertEquals([tried.length, pending.length], [1, 1]);
  });

  it("S4: takes one of each client in turn, the oldest ones first", () => {
    const due = ["a3", "a1", "b4", "a2", "c5", "b6"].map((name) => {
      const [clientId = "", dueAt] = name;
      const row = { clientId, untrusted: true, subject: "alice", sid: "s", attempt: 1 };
      return { ...row, id: name, dueAt: Number(dueAt) };
    });
    due.sort((one, other) => one.dueAt - other.dueAt);
    const inTurn = takeTurns(due, ({ clientId }) => clientId);
    assertEquals(inTurn.map(({ id }) => id), ["a1", "b4", "c5", "a2", "b6", "a3"]);
  });

  it.inListeningKit("O14 is waited for when the server closes", async ({ kit, posted }) => {
    const { browser } = await signInAt(kit, "one");
    await signOut(kit, browser);
    await kit.server.close();
    assertEquals(posted.length, 1);
  });

  it("signs out again where the store failed in the middle", async () => {
    const store = memoryStore();
    let isBroken = false;
    const add: typeof store.add = (...row) =>
      isBroken ? Promise.reject(new Error("disk full")) : store.add(...row);
    const { kit, posted, idle } = openListeningKit({ store: { ...store, add } });
    const { browser } = await signInAt(kit, "one");
    const home = await browser.open(`${kit.issuer}/`);
    isBroken = true;
    assertEquals((await browser.submit(home, "sign-out")).status, 503);
    isBroken = false;
    assertEquals((await browser.submit(home, "sign-out")).status, 303);
    await idle();
    assertEquals(posted.length, 1);
  });
});

if (hasFeature("registration")) {
  describe("A client that registers itself", () => {
    const backchannel_logout_uri = "https://app.example/out";

    it("CVE-2026-22752 CVE-2026-59354: is not notified on our own machine", async () => {
      const uri = "http://127.0.0.1/x";
      const { status, body } = await register(openKit(), { backchannel_logout_uri: uri });
      assertEquals([status, body.error], [400, "invalid_client_metadata"]);
      assertMatch(body.error_description, /backchannel_logout_uri.* must be an https URL/);
    });

    it("is notified by the guarded fetch only, even with an initial access token and 'trusted'", async () => {
      const asked: string[] = [];
      const kit = openKit({
        registration: { initialAccessToken, trusted: true },
        fetchUntrusted: async (url) => (asked.push(url), await Promise.resolve(new Response())),
        fetch: () => Promise.reject(new Error("unguarded")),
      });
      const { body } = await register(kit, { backchannel_logout_uri }, initialAccessToken);
      const { browser } = await signedIn(kit, {
        ...{ client_id: body.client_id, redirect_uri: redirectUri, scope: "openid" },
      });
      await signOut(kit, browser);
      await kit.server.context.background.idle();
      assertEquals(asked, [backchannel_logout_uri]);
    });
  });
}

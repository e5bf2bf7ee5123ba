import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Browser } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { basic, type Kit, openKit } from "../support/kit.ts";
import { firstMatch, present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";
import { withAddress } from "../support/with_address.ts";

const it = itWith({ withKit: () => openKit({ guessesPerMinute: 1 }), withoutLimit: openKit });

/** Where the attacker sits, and where everyone else does. */
const [attacker, office] = ["192.0.2.66", "198.51.100.7"];
const longSecret = "x".repeat(22);
const clients = [{ id: "long", secret: longSecret, scopes: ["read"] }, {
  id: "short",
  secret: "short secret",
  scopes: ["read"],
}];

async function signIn(
  kit: Kit,
  username: string,
  password: string,
  browser: Browser = kit.browser(),
): Promise<number> {
  const page = await browser.open(kit.authorizationUrl({ prompt: "login" }));
  return (await browser.signIn(page, username, password)).status;
}

/** Tries wrong passwords, each from another network. */
async function guessFromEverywhere(kit: Kit, username: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    kit.address = `203.0.113.${n}`;
    await signIn(kit, username, "wrong");
  }
  kit.address = office;
}

async function askForToken(
  kit: Kit,
  id: string,
  secret: string,
  address = office,
): Promise<number> {
  kit.address = address;
  return (await kit.token({ grant_type: "client_credentials" }, basic(id, secret))).status;
}

describe("Guesses at passwords", () => {
  it.withKit("M4: of unknown senders count against the name alone, and lock it after 20 times guessesPerMinute", async (kit) => {
    for (let guess = 0; guess < 19; guess++) await signIn(kit, "alice", "wrong");
    assertEquals(await signIn(kit, "alice", "alice"), 200);
    assertEquals(await signIn(kit, "alice", "wrong"), 422);
    assertEquals(await signIn(kit, "alice", "alice"), 429);
    assertEquals(await signIn(kit, "bob", "bob"), 200);
  });

  it.withKit("M4: are not what a failing store makes of right ones", async (kit) => {
    kit.address = office;
    const { store } = kit.server.context.settings;
    const { get } = store;
    const [browser, page] = await openSignIn(kit);
    store.get = (kind, id) =>
      kind === "user" ? Promise.reject(new Error("no disk")) : get(kind, id);
    for (let time = 0; time < 3; time++) {
      assertEquals((await browser.signIn(page, "dora")).status, 503);
    }
    store.get = get;
    assertEquals((await browser.signIn(page, "dora")).status, 422);
  });

  it("M4: are counted across processes that share a store", async () => {
    const store = memoryStore();
    const [one, other] = [
      openKit({ store, guessesPerMinute: 1 }),
      openKit({ store, guessesPerMinute: 1 }),
    ];
    await guessFromEverywhere(one, "alice", 12);
    await guessFromEverywhere(other, "alice", 8);
    assertEquals(await signIn(one, "alice", "alice"), 429);
    assertEquals(await signIn(other, "alice", "alice"), 429);
    for (const kit of [one, other]) kit.clock.advance(60);
    assertEquals(await signIn(one, "alice", "alice"), 200);
  });

  it.withoutLimit("M4: leave neither the name nor the password in the store", async (kit) => {
    await signIn(kit, "hunter2", "hunter3");
    const rows = await kit.server.context.settings.store.list("guess-count");
    assertEquals([rows.length, /hunter/.test(JSON.stringify(rows))], [1, false]);
  });

  async function openSignIn(kit: Kit): Promise<[Browser, Awaited<ReturnType<Browser["open"]>>]> {
    const browser = kit.browser();
    return [browser, await browser.open(kit.authorizationUrl())];
  }
});

describe("A browser in which a user has signed in before", () => {
  const cookieOf = (browser: Browser) =>
    [...browser.cookies].find(([name]) => name.endsWith("-familiar"))?.[1];

  it("M4: is not locked out by guesses from anywhere else", async () => {
    const kit = openKit({ guessesPerMinute: 2 });
    kit.address = office;
    const browser = kit.browser();
    await signIn(kit, "alice", "alice", browser);
    await guessFromEverywhere(kit, "alice", 40);
    assertEquals(await signIn(kit, "alice", "alice"), 429);
    assertEquals(await signIn(kit, "alice", "alice", browser), 200);
  });

  it("M4: has a limit of its own", async () => {
    const kit = openKit({ guessesPerMinute: 2 });
    kit.address = office;
    const browser = kit.browser();
    await signIn(kit, "alice", "alice", browser);
    const statuses = [];
    for (let guess = 0; guess < 5; guess++) {
      statuses.push(await signIn(kit, "alice", "wrong", browser));
    }
    assertEquals(statuses, [422, 422, 422, 422, 429]);
  });

  it.withKit("M4: is of no use for guessing anyone else's password", async (kit) => {
    kit.address = attacker;
    const browser = kit.browser();
    await signIn(kit, "bob", "bob", browser);
    await guessFromEverywhere(kit, "alice", 20);
    assertEquals(await signIn(kit, "alice", "alice", browser), 429);
  });

  it.withoutLimit("M4: keeps a cookie that lasts for 90 days and that no script can read", async (kit) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl());
    const action = firstMatch(page.html, /action="([^"]+)"/);
    const form_token = firstMatch(page.html, /name="form_token" value="([^"]+)"/);
    const body = new URLSearchParams({ username: "alice", password: "alice", form_token });
    const response = await browser.request(`${kit.issuer}${action}`, { method: "POST", body });
    const [header] = response.headers.getSetCookie().filter((each) => each.includes("-familiar="));
    assertMatch(
      present(header),
      /^__Host-hallpass-\w+-familiar=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=7776000$/,
    );
  });

  it.withoutLimit("M4: keeps its secret at the next sign-in, and gets another one before it expires", async (kit) => {
    const browser = kit.browser();
    await signIn(kit, "alice", "alice", browser);
    const first = cookieOf(browser);
    await signIn(kit, "alice", "alice", browser);
    assertEquals(cookieOf(browser), first);
    kit.clock.advance(46 * 24 * 3600);
    await signIn(kit, "alice", "alice", browser);
    assertNotEquals(cookieOf(browser), first);
  });

  it.withoutLimit("M4: gets another secret when half of its time has passed", async (kit) => {
    const browser = kit.browser();
    await signIn(kit, "alice", "alice", browser);
    const first = cookieOf(browser);
    kit.clock.advance(45 * 24 * 3600 - 1);
    await signIn(kit, "alice", "alice", browser);
    assertEquals(cookieOf(browser), first);
    kit.clock.advance(1);
    await signIn(kit, "alice", "alice", browser);
    assertNotEquals(cookieOf(browser), first);
  });

  it.withKit("M4: is a browser like any other when the server has forgotten it", async (kit) => {
    kit.address = office;
    const browser = kit.browser();
    await signIn(kit, "alice", "alice", browser);
    const first = cookieOf(browser)!;
    await kit.server.context.records.familiarBrowsers.delete(first);
    await guessFromEverywhere(kit, "alice", 20);
    assertEquals(await signIn(kit, "alice", "alice", browser), 429);
    kit.clock.advance(60);
    assertEquals(await signIn(kit, "alice", "alice", browser), 200);
    assertNotEquals(cookieOf(browser), first);
  });

  it.withoutLimit("M4: knows which of its users signed in last, and gets another secret when that changes", async (kit) => {
    const browser = kit.browser();
    for (const name of ["alice", "bob"]) await signIn(kit, name, name, browser);
    const earlier = cookieOf(browser)!;
    await signIn(kit, "alice", "alice", browser);
    const { familiarBrowsers } = kit.server.context.records;
    assertEquals(await familiarBrowsers.find(cookieOf(browser)!), { subjects: ["alice", "bob"] });
    assertEquals(await familiarBrowsers.find(earlier), undefined);
  });

  it.withoutLimit("M4: gets a secret of its own, though an attacker planted one that is known", async (kit) => {
    const [mallory, victim] = [kit.browser(), kit.browser()];
    await signIn(kit, "bob", "bob", mallory);
    const planted = [...mallory.cookies].find(([name]) => name.endsWith("-familiar"))!;
    victim.cookies.set(...planted);
    await signIn(kit, "alice", "alice", victim);
    const known = await kit.server.context.records.familiarBrowsers.find(cookieOf(victim)!);
    assertEquals([cookieOf(victim) === planted[1], known], [false, { subjects: ["alice", "bob"] }]);
    assertEquals(await kit.server.context.records.familiarBrowsers.find(planted[1]), undefined);
  });
});

describe("Guesses at the secrets of clients", () => {
  it("M4: never keep out a secret of 22 characters or more", async () => {
    const kit = openKit({ clients, guessesPerMinute: 1 });
    for (let guess = 0; guess < 30; guess++) {
      assertEquals(await askForToken(kit, "long", "wrong", attacker), 401);
    }
    assertEquals(await askForToken(kit, "long", longSecret, attacker), 200);
    assertEquals(await askForToken(kit, "long", longSecret), 200);
  });

  it("M4: keep out a short secret from where they come, and nowhere else", async () => {
    const kit = openKit({ clients, guessesPerMinute: 2 });
    for (let guess = 0; guess < 2; guess++) {
      assertEquals(await askForToken(kit, "short", "wrong", attacker), 401);
    }
    assertEquals(await askForToken(kit, "short", "short secret", attacker), 429);
    assertEquals(await askForToken(kit, "short", "short secret"), 200);
  });

  it("M4: from 25 addresses lock no client out for the rest of the minute", async () => {
    const kit = openKit({ clients, guessesPerMinute: 1 });
    for (let n = 0; n < 25; n++) await askForToken(kit, "short", "wrong", `203.0.113.${n}`);
    assertEquals(await askForToken(kit, "short", "short secret"), 200);
  });

  if (hasFeature("registration")) {
    it("M4: are not what wrong registration tokens are: those stop nothing", async () => {
      const kit = openKit({ clients, guessesPerMinute: 1 });
      const headers = { Authorization: "Bearer wrong" };
      for (let n = 0; n < 30; n++) {
        const response = await kit.server.fetch(
          withAddress(new Request(`${kit.issuer}/oauth2/register/${n}`, { headers }), office),
        );
        assertEquals(response.status, 401);
      }
      assertEquals(await askForToken(kit, "short", "short secret"), 200);
    });
  }
});

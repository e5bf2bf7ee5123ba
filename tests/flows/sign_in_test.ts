import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import type { Client } from "../../src/server/model/client.ts";
import type { User } from "../../src/server/model/user.ts";
import { type Browser, readForm, textOf } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import {
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  openLabKit,
  openStrictKit,
  spa,
} from "../support/kit.ts";
import { present } from "../support/present.ts";
import { watchedStore } from "../support/stores.ts";

const it = itWith({
  withKit: () => openKit(),
  onSignInPage: () => openSignIn(openKit()),
  signedIn: openSignedIn,
});

const alice = { username: "alice", password: "alice" };

async function openSignIn(kit: Kit) {
  const browser = kit.browser();
  return { browser, page: await browser.open(kit.authorizationUrl()) };
}

/** Opens a server, and a browser in which Alice has signed in and allowed what was asked. */
async function openSignedIn() {
  const kit = openKit();
  const browser = kit.browser();
  const { body: tokens } = await kit.redeem(await codeIn(browser, kit));
  /** Opens the page of an authorization request. */
  const ask = (changes: Fields = {}) => browser.open(kit.authorizationUrl(changes));
  return { kit, browser, tokens, ask };
}

/** Completes an authorization request in a browser. */
async function codeIn(browser: Browser, kit: Kit, changes: Fields = {}): Promise<string> {
  return codeOf(await browser.authorize(kit.authorizationUrl(changes)));
}

const codeOf = (callback: string) => present(new URL(callback).searchParams.get("code"));

function cookieNamed(browser: { cookies: Map<string, string> }, part: string): string | undefined {
  return [...browser.cookies].find(([name]) => name.endsWith(part))?.[1];
}

describe("The choice of an account", () => {
  const pages: Array<[what: string, form: string, prompt: string]> = [
    ["the page that asks for it", "select-account", "select_account"],
    ["the consent page", "change-account", "consent"],
  ];
  for (const [what, form, prompt] of pages) {
    it.signedIn(`is no sign-in: on ${what}, one that has grown too old for max_age is made anew`, async ({ kit, browser, ask }) => {
      const page = await ask({ max_age: "60", prompt });
      kit.clock.advance(61);
      const { html } = await browser.submit(page, form, { account: "this" });
      assertMatch(html, /<form id="sign-in"/);
    });
  }
});

describe("The sign-in page", () => {
  it.onSignInPage("asks again, with the name kept and the password not, when they do not match", async ({ browser, page }) => {
    const again = await browser.signIn(page, "alice", "wrong");
    assertEquals(again.status, 422);
    assertMatch(textOf(again.html), /Wrong user name or password/);
    assertMatch(again.html, /name="username" value="alice"/);
    assert(!again.html.includes("wrong"));
  });

  it("has ten users of a lab with their e-mail addresses, and finds the others by name", async () => {
    const users = Array.from({ length: 60 }, (_, at) => ({
      name: `user-${at}`,
      claims: { name: `Full Name ${at}`, email: `u${at}@example.org` },
    }));
    const kit = openLabKit({ users });
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ login_hint: "user-42" }));
    const ids = [...page.html.matchAll(/id="one-click-([^"]+)"/g)].map(([, name]) => name);
    assertEquals([ids.length, ids[0], ids[1]], [10, "user-42", "user-0"]);
    assertMatch(textOf(page.html), /Full Name 42 user-42 · u42@example\.org/);
    assertMatch(page.html, /<option value="user-59">Full Name 59 · user-59 · u59@example\.org</);
    const again = await browser.submit(page, "other-user", { one_click: "who" });
    assertEquals(again.status, 422);
    const consent = await browser.submit(again, "other-user", { one_click: "user-59" });
    assertMatch(consent.html, /id="consent"/);
  });

  it("has the form of the password first: browsers of tests fill in the first", async () => {
    const kit = openLabKit({});
    const { html } = await kit.browser().open(kit.authorizationUrl());
    const forms = [...html.matchAll(/<form id="([^"]+)"/g)].map(([, id]) => id);
    assertEquals(forms, ["sign-in", "one-click"]);
  });

  it.onSignInPage("responds alike for an unknown user", async ({ browser, page }) => {
    const known = await browser.signIn(page, "alice", "x");
    const unknown = await browser.signIn(page, "nobody", "x");
    assertEquals(textOf(unknown.html), textOf(known.html));
  });

  it.withKit("fills in a login_hint", async (kit) => {
    const { html } = await kit.browser().open(kit.authorizationUrl({ login_hint: '"><script>' }));
    assertMatch(html, /name="username" value="&quot;(>|&gt;)&lt;script(>|&gt;)"/);
  });

  it.onSignInPage("signs in with one click in a lab", async ({ browser, page }) => {
    const consent = await browser.click(page, "bob");
    assertMatch(textOf(consent.html), /Bob Baker bob@example/);
  });

  it("has no such click where it is no lab's", async () => {
    const redirect_uri = "https://app.example/cb";
    const clients = [{ id: "spa", redirectUris: [redirect_uri] }];
    const kit = openStrictKit({ clients });
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ client_id: "spa", redirect_uri }));
    assert(!page.html.includes("one_click"));
    assertEquals((await browser.submit(page, "sign-in", { one_click: "bob" })).status, 422);
  });

  it("stops guesses at a password", async () => {
    const kit = openKit({ guessesPerMinute: 3 });
    kit.address = "192.0.2.1";
    const { browser, page } = await openSignIn(kit);
    for (let guess = 0; guess < 3; guess++) {
      await browser.signIn(page, "alice", `${guess}`);
    }
    assertEquals((await browser.signIn(page)).status, 429);
  });

  it.withKit("keeps passwords and unknown names out of the events", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    await browser.signIn(page, "hunter2", "hunter3");
    assert(!JSON.stringify(kit.events).includes("hunter"));
  });

  it("does not sign in a user who is disabled", async () => {
    const users = [{ name: "alice", password: "alice", disabled: true }];
    const { browser, page } = await openSignIn(openKit({ users }));
    assertEquals((await browser.signIn(page)).status, 422);
  });
});

describe("Sessions", () => {
  it.withKit("CVE-2026-7507: begin under a new secret at every sign-in", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const planted = [...browser.cookies.keys()][0]?.replace("browser", "session");
    browser.cookies.set(present(planted), "planted-by-an-attacker");
    await browser.signIn(page);
    const first = cookieNamed(browser, "-session");
    assertNotEquals(first, "planted-by-an-attacker");
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }));
    assertNotEquals(cookieNamed(browser, "-session"), first);
  });

  it.onSignInPage("live in cookies that scripts cannot read and other sites cannot send", async ({ browser, page }) => {
    const { action, hidden } = readForm(page, "sign-in");
    const body = new URLSearchParams({ ...hidden, ...alice });
    const response = await browser.request(action, { method: "POST", body });
    assertMatch(
      present(response.headers.getSetCookie()[0]),
      /^__Host-hallpass-[a-z0-9]+-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it("have other cookie names for each issuer, and no prefix on http", async () => {
    const names = await Promise.all(
      ["http://localhost:1", "http://localhost:2"].map(async (issuer) => {
        const kit = openKit({ issuer });
        const browser = kit.browser();
        await browser.open(kit.authorizationUrl());
        return [...browser.cookies.keys()][0];
      }),
    );
    assertNotEquals(names[0], names[1]);
    assertMatch(present(names[0]), /^hallpass-/);
  });

  it.signedIn("let the next client do without a sign-in", async ({ ask }) => {
    const page = await ask({ client_id: "demo-web" });
    assertMatch(textOf(page.html), /Allow access\? Demo web app/);
  });

  it.signedIn("end with their time", async ({ kit, ask }) => {
    kit.clock.advance(86_400);
    assertMatch((await ask()).html, /id="sign-in"/);
  });

  it.signedIn("T32 end at sign-out, and with them every token but those for offline access", async ({ kit, browser, tokens, ask }) => {
    const asked = { scope: "openid offline_access", prompt: "consent" };
    const offline = (await kit.redeem(await codeIn(browser, kit, asked))).body;
    await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
    assertMatch((await ask()).html, /id="sign-in"/);
    assertEquals((await kit.refresh(tokens.refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.userinfo(tokens.access_token)).status, 401);
    assertEquals((await kit.refresh(offline.refresh_token)).status, 200);
  });

  it.signedIn("end when another user signs in with the same browser", async ({ kit, browser, tokens }) => {
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "bob" });
    assertEquals((await kit.refresh(tokens.refresh_token)).body.error, "invalid_grant");
  });

  it.withKit("are not inherited, nor are tokens, by a user who gets the name of another one", async (kit) => {
    const { browser, code, change } = await signInDora(kit);
    await change({ subject: "dora-2" });
    assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    assertMatch((await browser.open(kit.authorizationUrl())).html, /id="sign-in"/);
  });

  it.withKit("CVE-2023-22492: of a user who is disabled meanwhile end at once, and so do the tokens", async (kit) => {
    const { browser, code, change } = await signInDora(kit);
    const tokens = (await kit.redeem(code)).body;
    await change({ disabled: true });
    assertMatch((await browser.open(kit.authorizationUrl())).html, /id="sign-in"/);
    assertEquals((await kit.refresh(tokens.refresh_token)).body.error, "invalid_grant");
    assertEquals((await kit.userinfo(tokens.access_token)).status, 401);
  });

  /** Signs in a user who is in the store, where a test changes her. */
  async function signInDora(kit: Kit) {
    const { users } = kit.server.context.records;
    const dora = { name: "dora", subject: "dora", claims: {}, disabled: false };
    const change = (changes: Partial<User>) => users.put("dora", { ...dora, ...changes }, 8.64e15);
    await change({});
    const browser = kit.browser();
    const consent = await browser.click(await browser.open(kit.authorizationUrl()), "dora");
    return { browser, change, code: codeOf((await browser.decide(consent)).url) };
  }
});

describe("The store", () => {
  it("T26 holds no bearer secret in the clear: neither code nor token, session, interaction or password", async () => {
    const store = watchedStore();
    const kit = openKit({ store });
    const { browser, page } = await openSignIn(kit);
    await browser.signIn(page, "alice", "alice-s3cret");
    const code = codeOf((await browser.decide(await browser.signIn(page))).url);
    const { access_token, refresh_token } = (await kit.redeem(code)).body;
    const written = store.texts.join("\n");
    const tokens = [code, access_token, refresh_token, page.url.split("/").at(-1)!];
    for (const secret of [...tokens, "alice-s3cret", ...browser.cookies.values()]) {
      assert(!written.includes(secret), secret);
    }
  });
});

describe("An interaction", () => {
  it.withKit("CVE-2022-39222: belongs to the browser that began it", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const consent = await browser.signIn(page);
    const thief = kit.browser();
    await thief.open(kit.authorizationUrl());
    for (const victim of [page, consent]) assertEquals((await thief.open(victim.url)).status, 400);
    assertEquals((await thief.decide(consent)).status, 400);
  });

  it.onSignInPage("takes no form without its token, or with another one", async ({ browser, page }) => {
    const { form_token: own } = readForm(page, "sign-in").hidden;
    for (const form_token of ["", "x", present(own).toLowerCase()]) {
      assertEquals((await browser.submit(page, "sign-in", { ...alice, form_token })).status, 403);
    }
  });

  it.withKit("takes no form that was made for another interaction, or another step", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const other = await browser.open(kit.authorizationUrl());
    const tokenOf = (of: typeof page) => present(readForm(of, "sign-in").hidden.form_token);
    const signIn = { ...alice, form_token: tokenOf(other) };
    assertEquals((await browser.submit(page, "sign-in", signIn)).status, 403);
    const consent = await browser.signIn(page);
    const decision = { decision: "allow", form_token: tokenOf(page) };
    assertEquals((await browser.submit(consent, "consent", decision)).status, 403);
  });

  it.withKit("takes no consent that was shown to another user", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const consent = await browser.signIn(page);
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "bob" });
    assertEquals((await browser.decide(consent)).status, 403);
  });

  it.withKit("ends after an hour", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    kit.clock.advance(3600);
    assertEquals((await browser.signIn(page)).status, 400);
  });

  it.withKit("survives a reload, and several tabs at once", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const second = await browser.open(kit.authorizationUrl({ state: "second" }));
    const reloaded = await browser.open(page.url);
    const consent = await browser.signIn(reloaded);
    assertMatch((await browser.decide(consent)).url, /state=a-state/);
    assertMatch((await browser.open(second.url)).url, /state=second/);
  });

  it.withKit("is completed once: neither a reload nor a second form gets another code", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const consent = await browser.signIn(page);
    assertMatch((await browser.decide(consent, "deny")).url, /error=access_denied/);
    const again = await browser.decide(consent);
    assertEquals(again.status, 400);
    assertMatch(textOf(again.html), /already completed/);
    assertEquals((await browser.open(page.url)).status, 400);
  });

  it.withKit("ends with its response though it came by POST", async (kit) => {
    const browser = kit.browser();
    const fields = Object.fromEntries(new URL(kit.authorizationUrl()).searchParams);
    const pushed = kit.issuer +
      (await kit.post("/oauth2/authorize", fields)).headers.get("Location");
    assertMatch(await browser.authorize(pushed), /code=/);
    assertEquals((await browser.open(pushed)).status, 400);
  });

  const changes: Array<[what: string, change: Partial<Client>]> = [
    ["is disabled", { disabled: true }],
    ["loses its redirect URI", { redirectUris: ["https://other.example/cb"] }],
    ["loses a scope", { scopes: ["openid"] }],
    ["loses the grant", { grantTypes: ["refresh_token"] }],
  ];
  for (const [what, change] of changes) {
    it.withKit(`A11 redirects nowhere when its client ${what} while it waits`, async (kit) => {
      const { settings, records } = kit.server.context;
      const redirect_uri = "https://late.example/cb";
      const configured = present(await settings.clients.get("demo-spa"));
      const client = { ...configured, id: "late", redirectUris: [redirect_uri] };
      await records.clients.put("late", client, 8.64e15);
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl({ client_id: "late", redirect_uri }));
      const consent = await browser.signIn(page);
      await records.clients.put("late", { ...client, ...change }, 8.64e15);
      assertEquals((await browser.decide(consent)).status, 400);
    });
  }

  it.withKit("is never a URL that can be made up", async (kit) => {
    assertEquals((await kit.get("/oauth2/interaction/x")).status, 400);
    const query = "client_id=demo-spa&request_uri=urn:ietf:params:oauth:request_uri:x";
    assertEquals((await kit.get(`/oauth2/authorize?${query}`)).status, 400);
  });

  it.onSignInPage("A34 B20 leads on by 303, so that no password goes along", async ({ browser, page }) => {
    const { action, hidden } = readForm(page, "sign-in");
    const body = new URLSearchParams({ ...hidden, ...alice });
    assertEquals((await browser.request(action, { method: "POST", body })).status, 303);
  });
});

describe("prompt and max_age (OpenID Connect Core, section 3.1.2.1)", () => {
  it.signedIn("oidcc-prompt-login: asks again, and the sign-in is a later one", async ({ kit, browser }) => {
    const authTime = async (changes = {}) =>
      claimsOf((await kit.redeem(await codeIn(browser, kit, changes))).body.id_token).auth_time;
    const first = await authTime();
    kit.clock.advance(10);
    assertEquals([await authTime(), await authTime({ prompt: "login" })], [first, first + 10]);
  });

  it.signedIn("oidcc-prompt-none-logged-in: shows nothing, and returns the same user", async ({ ask }) => {
    assertMatch((await ask({ prompt: "none" })).url, /authorized\?code=/);
  });

  it.signedIn("prompt=none without consent is consent_required", async ({ ask }) => {
    const { url } = await ask({ prompt: "none", scope: "openid email" });
    assertMatch(url, /error=consent_required/);
  });

  it.signedIn("oidcc-max-age-1: asks again when the sign-in is older", async ({ kit, ask }) => {
    kit.clock.advance(2);
    assertMatch((await ask({ max_age: "1" })).html, /id="sign-in"/);
    assertEquals((await ask({ max_age: "10000" })).status, 303);
  });

  it.withKit("L9: asks again when the sign-in grows too old while the consent page lies open, and then once only", async (kit) => {
    const browser = kit.browser();
    const consent = await browser.signIn(
      await browser.open(kit.authorizationUrl({ max_age: "60" })),
    );
    kit.clock.advance(301);
    const signIn = await browser.decide(consent);
    assertMatch(signIn.html, /id="sign-in"/);
    const { url } = await browser.decide(await browser.signIn(signIn));
    const { id_token } = (await kit.redeem(codeOf(url))).body;
    assertEquals(claimsOf(id_token).auth_time, kit.clock.now / 1000);
  });

  for (const max_age of ["0", "1"]) {
    it.withKit(`L9: leaves time for the consent page after a sign-in, with max_age=${max_age}`, async (kit) => {
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl({ max_age }));
      const consent = await browser.signIn(page);
      kit.clock.advance(240);
      assertMatch((await browser.decide(consent)).url, /code=/);
    });
  }

  it.signedIn("L9: a session that was only chosen is held to max_age at the consent page", async ({ kit, browser, ask }) => {
    kit.clock.advance(50);
    const page = await ask({ max_age: "60", prompt: "select_account consent" });
    const consent = await browser.submit(page, "select-account", { account: "this" });
    kit.clock.advance(11);
    assertMatch((await browser.decide(consent)).html, /id="sign-in"/);
  });

  it.signedIn("prompt=select_account lets one go on, or be another", async ({ browser, ask }) => {
    const choose = async (account: string) =>
      browser.submit(await ask({ prompt: "select_account" }), "select-account", { account });
    assertMatch((await choose("this")).url, /code=/);
    const consent = await browser.signIn(await choose("other"), "carol");
    assertMatch(textOf(consent.html), /Carol Çelik/);
  });
});

describe("Consent", () => {
  it.withKit("T33 is remembered for the resources that it was given for, and for no others", async (kit) => {
    const browser = kit.browser();
    const asks = async (resource?: string) =>
      (await browser.open(kit.authorizationUrl({ resource }))).status === 200;
    await browser.authorize(kit.authorizationUrl({ resource: "https://a.example" }));
    assertEquals([
      await asks("https://a.example"),
      await asks("https://payroll.example"),
      await asks(),
    ], [false, true, true]);
  });

  it.withKit("is asked for if only some of the resources have it", async (kit) => {
    const browser = kit.browser();
    const asks = async (...resource: string[]) =>
      (await browser.open(kit.authorizationUrl({ resource }))).status === 200;
    await browser.authorize(kit.authorizationUrl({ resource: "https://a.example" }));
    assertEquals(await asks("https://a.example", "https://b.example"), true);
    await browser.authorize(kit.authorizationUrl({ resource: "https://b.example" }));
    assertEquals(await asks("https://a.example", "https://b.example"), false);
  });

  it.withKit("is asked for with prompt=consent, even if a user signs in who gave it before", async (kit) => {
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl(), { user: "bob" });
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "alice" });
    const consent = await browser.open(kit.authorizationUrl({ prompt: "consent" }));
    const signIn = await browser.submit(consent, "change-account", { account: "other" });
    assertMatch((await browser.signIn(signIn, "bob")).html, /id="consent"/);
  });

  it.withKit("A36 is asked for, and denied means access_denied", async (kit) => {
    const callback = await kit.authorize({}, { decision: "deny" });
    assertEquals(callback.get("error"), "access_denied");
    assertEquals(callback.get("state"), "a-state");
    assertEquals(callback.get("iss"), kit.issuer);
    assertEquals(callback.get("code"), null);
  });

  it.withKit("is denied by anything but 'allow'", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const consent = await browser.signIn(page);
    const { url } = await browser.submit(consent, "consent", { decision: "Allow" });
    assertMatch(url, /error=access_denied/);
  });

  it.withKit("is remembered per client, user and scope", async (kit) => {
    const browser = kit.browser();
    const asks = async (changes = {}) =>
      (await browser.open(kit.authorizationUrl(changes))).status === 200;
    await browser.authorize(kit.authorizationUrl());
    assertEquals([
      await asks(),
      await asks({ scope: "openid" }),
      await asks({ scope: "openid write" }),
      await asks({ client_id: "demo-web" }),
      await asks({ prompt: "consent" }),
    ], [false, false, true, true, true]);
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "bob" });
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "alice" });
    assertEquals(await asks(), false);
  });

  it.withKit("A37 T36 is asked for each time by a native client, which has no secret", async (kit) => {
    const browser = kit.browser();
    const redirect_uri = "http://localhost:1234/callback";
    const url = kit.authorizationUrl({ client_id: "demo-cli", redirect_uri });
    await browser.authorize(url);
    assertMatch((await browser.open(url)).html, /id="consent"/);
  });

  it.withKit("is not remembered when it was denied", async (kit) => {
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl(), { decision: "deny" });
    assertMatch((await browser.open(kit.authorizationUrl())).html, /id="consent"/);
  });

  it.withKit("can be given as another user", async (kit) => {
    const { browser, page } = await openSignIn(kit);
    const consent = await browser.signIn(page);
    const signIn = await browser.submit(consent, "change-account", { account: "other" });
    const asBob = await browser.signIn(signIn, "bob");
    assertMatch(textOf(asBob.html), /Bob Baker bob@example/);
  });
});

describe("The response to the client", () => {
  it.withKit("A26 A32 B07 B17 brings code, state and iss back, each once", async (kit) => {
    const callback = await kit.authorize({ state: "a+b %20/é" });
    assertEquals([...callback.keys()], ["code", "state", "iss"]);
    assertEquals([callback.get("state"), callback.get("iss")], ["a+b %20/é", kit.issuer]);
  });

  it.withKit("comes by POST where that was asked for (Form Post Response Mode)", async (kit) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ response_mode: "form_post" }));
    const consent = await browser.signIn(page);
    const post = await browser.decide(consent);
    const { action, hidden } = readForm(post, "form-post");
    assertEquals([action, Object.keys(hidden), hidden.state], [`${kit.issuer}/authorized`, [
      "code",
      "state",
      "iss",
    ], "a-state"]);
    assertMatch(post.html, /<script src="\/static\/form_post\.\w+\.js"/);
  });

  it.withKit("A03 does not depend on the order of parameters or scopes", async (kit) => {
    const { search, searchParams } = new URL(kit.authorizationUrl());
    const reversed = new URLSearchParams([...searchParams].reverse());
    const url = kit.authorizationUrl().replace(search, `?${reversed}`);
    assertMatch(await kit.browser().authorize(url), /code=/);
  });
});

describe("offline_access (OpenID Connect Core, section 11)", () => {
  const both = "openid offline_access";

  it.withKit("O08 is granted with the user's consent", async (kit) => {
    assertEquals((await kit.tokens({ scope: both, prompt: "consent" })).scope, both);
  });

  it.withKit("O08 is dropped where the user might not have been asked, and is not on the page", async (kit) => {
    const browser = kit.browser();
    const url = kit.authorizationUrl({ scope: "openid read offline_access" });
    const page = await browser.click(await browser.open(url));
    assert(!page.html.includes("offline_access"));
    const code = codeOf((await browser.decide(page)).url);
    assertEquals((await kit.redeem(code)).body.scope, "openid read");
  });

  it.withKit("O08 is granted to a client whose users are asked each time", async (kit) => {
    const cli = { client_id: "demo-cli", redirect_uri: "http://127.0.0.1:1234/callback" };
    const code = await kit.code({ ...cli, scope: both });
    assertEquals((await kit.redeem(code, cli)).body.scope, both);
  });

  it.withKit("O08 is invalid_scope where nothing else was asked for", async (kit) => {
    assertEquals((await kit.authorize({ scope: "offline_access" })).get("error"), "invalid_scope");
  });
});

describe("The acr of a sign-in by password (OpenID Connect EAP ACR Values 1.0, section 2)", () => {
  it("is never phr, also if a policy leaves it to the server", async () => {
    for (
      const [acrValues, acr] of [[["phr", "one", "two"], "one"], [["phr"], undefined]] as const
    ) {
      const kit = openStrictKit({
        clients: [spa()],
        acrValues: [...acrValues],
        policies: { authenticate: async (form, users) => await users.checkPassword(form) },
      });
      const code = await codeIn(kit.browser(), kit, { scope: "openid" });
      const { id_token } = (await kit.redeem(code)).body;
      assertEquals(claimsOf(id_token).acr, acr);
    }
  });
});

import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import { type ClientConfig, memoryStore } from "../../src/server/mod.ts";
import { basic, claimsOf } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { authorizationUrl, login } from "../support/login.ts";
import { assertClean } from "../support/reported.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";
import { jwtHeader } from "../support/wire.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabForAnyone: () => hallpass({ anyClient: true }),
  inHintedLab: () => hallpass({ signInByHint: true }),
  withIntrospection: needs("introspection"),
  inLabForAnyoneWithAnyClient: {
    ...needs("any_client"),
    open: () => hallpass({ anyClient: true }),
  },
  inLabWithAnyClient: { ...needs("any_client"), open: () => hallpass() },
  inLabWithFaults: { ...needs("faults"), open: () => hallpass() },
});

const client = testClient();

const userinfo = async (lab: TestLab, token: string) => (await client.userinfo(lab, token)).status;

describe("The clock of a lab", () => {
  it.inLab("affects both issue and verification", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
    lab.clock.advance("59m");
    assertEquals(await userinfo(lab, access_token), 200);
    lab.clock.advance("2m");
    assertEquals(await userinfo(lab, access_token), 401);
  });

  it.inLab("appears in the error for an expired token, with how long ago the token expired", async (lab) => {
    lab.clock.freeze();
    lab.clock.set("2030-01-01T00:00:00Z");
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid", expiresIn: "-1m" });
    const { status, body } = await client.userinfo(lab, access_token);
    assertEquals(status, 401);
    assertMatch(body.error_description, /Received: one that expired 1 minute ago\./);
  });

  it("can be stopped, set, and started again", async () => {
    let machine = 1000;
    await using lab = await hallpass({ now: () => machine });
    lab.clock.freeze();
    machine += 500;
    assertEquals([lab.clock.now(), lab.clock.frozen], [1000, true]);
    lab.clock.set("2030-01-01T00:00:00Z");
    lab.clock.advance("-1s");
    assertEquals(lab.clock.now(), Date.UTC(2030, 0, 1) - 1000);
    lab.clock.run();
    machine += 70;
    assertEquals([lab.clock.now(), lab.clock.frozen], [Date.UTC(2030, 0, 1) - 930, false]);
    lab.clock.reset();
    assertEquals(lab.clock.now(), machine);
  });

  it("follows the clock of the machine, and so the fake timers of a test runner", async () => {
    let machine = 5;
    await using lab = await hallpass({ now: () => machine });
    machine = 5_000_000;
    assertEquals(lab.clock.now(), 5_000_000);
  });

  it("rejects an invalid time, and does not move", async () => {
    await using lab = await hallpass({ now: () => 7 });
    assertThrows(() => lab.clock.advance("soon" as never), LabError, "not a valid duration");
    assertThrows(() => lab.clock.set("tomorrow"), LabError, "not a valid time");
    assertEquals(lab.clock.now(), 7);
  });
});

describe("A sign-in at another port of this machine", () => {
  for (const listen of [false, true]) {
    it(`names the addresses of the lab, with listen: ${listen}`, async () => {
      await using lab = await hallpass({ redirectUris: ["http://localhost:3000/cb"], listen });
      const own = new URL(authorizationUrl(lab, { redirect_uri: "http://localhost:3000/cb" }));
      const url = `http://localhost:1${own.pathname}${own.search}`;
      const error = await assertRejects(() => lab.authorize(url, { user: "alice" }), LabError);
      assertStringIncludes(
        error.message,
        `'http://localhost:1/oauth2/authorize' is not an address of this lab. Its addresses: ${lab.issuer}`,
      );
    });
  }
});

describe("A sign-in at the URL of the application", () => {
  it.inLab("asks for the URL to which the application redirects", async (lab) => {
    const attempt = () => lab.authorize("http://localhost:9101/login", { user: "alice" });
    await assertRejects(attempt, LabError, "Pass the URL of an authorization request");
  });
});

describe("Minted tokens", () => {
  it.inLab("have what was asked for, and are known to the server", async (lab) => {
    const asked = { sub: "alice", scope: "openid orders:read", claims: { tier: "gold" } };
    const { access_token, expires_in } = await lab.mint({ ...asked, expiresIn: "10m" });
    const { sub, scope, exp, iat, tier } = claimsOf<{ tier: string }>(access_token);
    assertEquals({ sub, scope, claims: { tier } }, asked);
    assertEquals([exp - iat, expires_in], [600, 600]);
    assertEquals(await userinfo(lab, access_token), 200);
  });

  it.inLab("come with an ID token for openid, and with a refresh token for offline_access", async (lab) => {
    assertEquals("id_token" in await lab.mint({ sub: "alice", scope: "read" }), false);
    const { id_token = "", refresh_token = "" } = await lab.mint({
      ...{ sub: "bob", scope: "openid offline_access", client: "demo-spa" },
    });
    assertEquals(claimsOf(id_token).sub, "bob");
    assertEquals((await client.refresh(lab, refresh_token)).status, 200);
  });

  it.withIntrospection("can be for any resource, for a client itself, and opaque", async () => {
    const api = { id: "api", secret: "s", scopes: ["read"], accessTokenFormat: "opaque" as const };
    await using lab = await hallpass({ clients: [api] });
    const asked = { sub: "api", audience: "https://api.example", claims: { tier: "gold" } };
    const { access_token } = await lab.mint({ ...asked, expiresIn: "5m" });
    const { body } = await client.introspect(lab, access_token, {}, basic("api", "s"));
    const { active, aud, sub, tier } = body as typeof body & { tier?: string };
    assertEquals([active, aud, sub, tier], [true, "https://api.example", "api", "gold"]);
  });

  const orders: Array<[what: string, order: unknown, says: string]> = [
    ["an unknown client", { sub: "alice", client: "none" }, "Choose one of: demo-spa"],
    ["a malformed scope", { sub: "alice", scope: 'a"b' }, "scope tokens"],
    ["an empty audience", { sub: "alice", audience: [""] }, "'audience[0]' must not be empty"],
    [
      "an unknown kind",
      { sub: "alice", kind: "session" },
      "must be one of: access, id, refresh, logout, code",
    ],
    ["another algorithm", { sub: "alice", header: { alg: "none" } }, "without 'alg'"],
    ["a malformed omission", { sub: "alice", omit: "exp" }, "'omit' must be a list"],
    ["claims of a refresh token", { sub: "alice", kind: "refresh", claims: {} }, "random text"],
    ["an ID token of a client", { sub: "demo-service", kind: "id" }, "needs a user"],
    ["an invalid duration", { sub: "alice", expiresIn: "soon" }, "not a valid duration"],
    ["an unknown option", { sub: "alice", scopes: "read" }, "did you mean 'scope'?"],
    ["nobody", {}, "'sub'"],
  ];
  for (const [what, order, says] of orders) {
    it.inLab(`cannot be made for ${what}`, async (lab) => {
      await assertRejects(() => lab.mint(order as { sub: string }), LabError, says);
    });
  }
});

describe("The user in front of the browser", () => {
  it.inLab("signs in and allows or denies", async (lab) => {
    const url = authorizationUrl(lab);
    assertMatch((await lab.authorize(url, { user: "alice" })).code ?? "", /^[\w-]{43}$/);
    const { error } = await lab.authorize(url, { user: "alice", decision: "deny" });
    assertEquals(error, "access_denied");
  });

  it.inLab("stays signed in with one browser, and is asked again if the request demands it", async (lab) => {
    const browser = lab.browser();
    await browser.authorize(authorizationUrl(lab), { user: "alice" });
    const silent = await browser.authorize(authorizationUrl(lab, { prompt: "none" }));
    assertEquals(silent.error, undefined);
    const again = browser.authorize(authorizationUrl(lab, { prompt: "login" }));
    await assertRejects(() => again, LabError, "Name a user");
  });

  const out = "b: signs out in the browser that signed in, known by its name";
  it.inLab(out, needs("logout"), async (lab) => {
    const call = async (path: string, body: object) =>
      (await callLab(lab, `POST ${path}`, body)).json;
    const url = authorizationUrl(lab);
    const silent = authorizationUrl(lab, { prompt: "none" });
    await call("/authorize", { url, user: "alice", browser: "a" });
    assertEquals((await call("/authorize", { url: silent, browser: "a" })).error, undefined);
    assertEquals((await call("/authorize", { url: silent, browser: "b" })).error, "login_required");
    assertEquals((await call("/authorize", { url: silent })).error, "login_required");
    const next = `${lab.issuer}/`;
    const query = new URLSearchParams({ client_id: "demo-spa", post_logout_redirect_uri: next });
    const signOut = { url: `/oauth2/logout?${query}` };
    const { error_description } = await call("/sign-out", { ...signOut, browser: "b" });
    assertStringIncludes(error_description, "No user has signed in in this browser");
    assertEquals((await lab.browser("a").authorize(silent)).error, undefined);
    assertEquals((await call("/sign-out", { ...signOut, browser: "a" })).location, next);
    assertEquals((await lab.browser("a").authorize(silent)).error, "login_required");
    await lab.browser("a").authorize(url, { user: "alice" });
    await lab.reset();
    assertEquals(lab.browser("a").cookies.size, 0);
  });

  it.inLab("g: gets from a browser what the lab itself explains", async (lab) => {
    const explained = async (user: string, url = authorizationUrl(lab)) => {
      const attempt = (door: Pick<TestLab, "authorize">) =>
        assertRejects(() => door.authorize(url, { user }), LabError);
      const { message } = await attempt(lab.browser());
      assertEquals(message, (await attempt(lab)).message.replaceAll("flow-2", "flow-1"));
      return message;
    };
    assertStringIncludes(await explained("mallory"), "There is no user 'mallory'.");
    assertStringIncludes(await explained("alice", "http://["), "is not a URL");
  });

  it.inLab("must exist, and can only allow or deny", async (lab) => {
    const authorize = (user: string, decision?: "deny") =>
      lab.authorize(authorizationUrl(lab), { user, ...decision && { decision } });
    await assertRejects(() => authorize("mallory"), LabError, "Choose one of: alice, bob, carol");
    await assertRejects(() => authorize("alice", "maybe" as "deny"), LabError, "allow, deny");
  });

  it.inLab("gets the rule that the request broke, and how to fix it", async (lab) => {
    const url = authorizationUrl(lab, { redirect_uri: "https://app.example/wrong" });
    const { message } = await assertRejects(() => lab.authorize(url), LabError);
    assertStringIncludes(message, "(status 400): invalid_request: The redirect_uri must");
    assertStringIncludes(message, "must be identical to one that the client registered");
    assertStringIncludes(message, " Rule: redirect_uri.registered. ");
    assertEquals(message.includes("See what happened"), false);
    assertStringIncludes(message, lab.requests()[0]?.refusal?.fix ?? "no fix");
  });

  it.inHintedLab("is named in plain text, never as a page, if a login_hint names nobody", async (lab) => {
    const { headers } = await lab.fetch(authorizationUrl(lab, { login_hint: "<script>" }));
    const types = [headers.get("Content-Type"), headers.get("X-Content-Type-Options")];
    assertEquals(types, ["text/plain; charset=utf-8", "nosniff"]);
  });

  it.inHintedLab("is signed in by a login_hint without any page if the lab allows it", async (lab) => {
    const open = (url: string) => lab.fetch(url, { redirect: "manual" });
    const hinted = authorizationUrl(lab, { login_hint: "bob" });
    const response = await open(hinted);
    assertMatch(response.headers.get("Location") ?? "", /\/authorized\?code=/);
    const byPost = await open(`${hinted}&response_mode=form_post`);
    assertMatch(
      await byPost.text(),
      /<form id="form-post"[^>]* action="[^"]*\/authorized"[^>]*><input type="hidden" name="code"/,
    );
    const { request_uri } = (await client.push(lab, { login_hint: "bob" })).body;
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    const pushed = await open(`${lab.issuer}/oauth2/authorize?${query}`);
    assertMatch(pushed.headers.get("Location") ?? "", /\/authorized\?code=/);
    const unknown = await open(authorizationUrl(lab, { login_hint: "mallory" }));
    assertEquals(unknown.status, 400);
    assertMatch(await unknown.text(), /Choose one of: alice, bob, carol/);
  });

  it.inHintedLab("is not signed in by a login_hint with prompt=none", async (lab) => {
    const silent = authorizationUrl(lab, { login_hint: "bob", prompt: "none" });
    const browser = lab.browser();
    assertEquals((await browser.authorize(silent)).error, "login_required");
    await browser.authorize(authorizationUrl(lab, { login_hint: "bob" }));
    assert((await browser.authorize(silent)).code);
  });
});

describe("Users and clients", () => {
  it.inLab("can be added and removed while the lab runs", async (lab) => {
    lab.users.put({ name: "dora", claims: { name: "Dora Diaz" } });
    const { claims } = await login(lab, { user: "dora" });
    assertEquals(claims!.sub, "dora");
    lab.users.remove("dora");
    const url = authorizationUrl(lab);
    await assertRejects(() => lab.authorize(url, { user: "dora" }), LabError);
  });

  it.inLab("keep their tokens when something else about them changes", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid email" });
    lab.users.put({ name: "alice", claims: { email: "new@example.com" } });
    assertEquals((await client.userinfo(lab, access_token)).body.email, "new@example.com");
  });

  it.inLab("are rejected if they are invalid, and nothing changes", async (lab) => {
    const put = () => lab.clients.put({ id: "x", redirectUris: ["not a uri"] });
    assertThrows(put, LabError, "absolute URI");
    assertThrows(() => lab.clients.get("x"), LabError, "Choose one of: demo-spa");
    assertThrows(() => lab.users.remove("nobody"), LabError, "alice");
  });

  const wrong: Array<[setting: object, problem: string]> = [
    [{ pkce: "no" }, "pkce must be one of: required, or-nonce, optional."],
    [{ redirectUris: ["callback"] }, "redirectUris[0] is not an absolute URI."],
    [{ scopes: ["vault"] }, "scopes contains 'vault', which is not a scope of the server."],
    [
      { redirectUri: "https://app.example/" },
      "redirectUri is not a setting (did you mean 'redirectUris'?).",
    ],
  ];
  for (const [setting, problem] of wrong) {
    it.inLab(`K11: are rejected for one wrong setting, and no other: ${JSON.stringify(setting)}`, async (lab) => {
      const entry = { id: "x", redirectUris: ["https://app.example/callback"], ...setting };
      for (const each of [lab, await lab.tenant()]) {
        const put = () => each.clients.put(entry as ClientConfig);
        const { json } = await callLab(each, "PUT /clients/x", entry);
        const message = `Cannot set the client 'x': ${problem}`;
        assertEquals(assertThrows(put, LabError).message, message);
        assertEquals(json.error_description, message);
      }
    });
  }

  const misnamed = [["client", "id", "demo-spa"], ["client", "id", null], [
    "user",
    "name",
    "alice",
  ]];
  for (const [what, key, value] of misnamed) {
    it.inLab(`are rejected at the path of another ${what}: ${key} ${value}`, async (lab) => {
      const before = [lab.clients.list(), lab.users.list()];
      const { status, json } = await callLab(lab, `PUT /${what}s/x`, { [`${key}`]: value });
      const message = `Cannot set the ${what} 'x': ${key} must be 'x', as in the path.`;
      assertEquals([status, json.error, json.error_description], [400, "invalid_request", message]);
      assertEquals([lab.clients.list(), lab.users.list()], before);
    });
  }

  const odd: Record<string, [authorization: string, fields: Record<string, string>]> = {
    "a Basic header that is not base64": ["Basic !!!", { client_id: "newcomer" }],
    "Basic credentials that are not form-encoded": [`Basic ${btoa("newcomer:%zz")}`, {}],
  };
  for (const [what, [Authorization, fields]] of Object.entries(odd)) {
    it.inLabForAnyoneWithAnyClient(`are rejected with ${what}, even with anyClient`, async (lab) => {
      const request = { grant_type: "client_credentials", ...fields };
      assertEquals((await client.token(lab, request, { Authorization })).status, 401);
    });
  }

  it.inLabForAnyoneWithAnyClient("have no redirect URI that runs a script, even with anyClient", async (lab) => {
    const url = authorizationUrl(lab, {
      ...{ client_id: "newcomer", redirect_uri: "javascript:alert(1)//" },
      ...{ response_mode: "form_post", prompt: "none" },
    });
    const response = await lab.fetch(url, { redirect: "manual" });
    assertEquals(response.status, 400);
    assertEquals((await response.text()).includes('action="javascript:'), false);
  });

  it.inLabWithAnyClient("may be unknown with anyClient, with any redirect URI and secret", async (strict) => {
    await using lab = await hallpass({ anyClient: true });
    const changes = { client_id: "my-app", redirect_uri: "http://localhost:3000/cb" };
    const attempt = () => strict.authorize(authorizationUrl(strict, changes), { user: "alice" });
    await assertRejects(attempt, LabError);
    const code = await client.code(lab, changes);
    const { redirect_uri } = changes;
    const headers = basic("my-app", "my-secret");
    assertEquals((await client.redeem(lab, code, { redirect_uri }, headers)).status, 200);
  });
});

describe("Requests", () => {
  it.inLab("hide the codes of devices and the handles of pushed requests, and show everything else", async (lab) => {
    const post = async (path: string, fields: Record<string, string>) =>
      (await client.sendForm(lab, path, fields)).body;
    const request = { client_id: "demo-cli", scope: "read" };
    const device = await post("/oauth2/device_authorization", request);
    await lab.fetch(device.verification_uri_complete);
    const { searchParams } = new URL(authorizationUrl(lab));
    const pushed = await post("/oauth2/par", Object.fromEntries(searchParams));
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri: pushed.request_uri });
    await lab.fetch(`${lab.issuer}/oauth2/authorize?${query}`, { redirect: "manual" });
    const shown = JSON.stringify(lab.requests());
    const secrets = [device.user_code, pushed.request_uri, encodeURIComponent(pushed.request_uri)];
    assertEquals(secrets.filter((secret) => shown.includes(secret)), []);
    assertMatch(
      lab.requests()[0]?.response?.body ?? "",
      /"verification_uri_complete":"[^"]*\?user_code=\[redacted\]","expires_in":\d+/,
    );
  });

  it.inLab("are listed, without their secrets unless a test asks for them", async (lab) => {
    await login(lab);
    const sent = await lab.waitForRequest({ path: "/oauth2/token" });
    assertEquals(sent.client, "demo-spa");
    const expected = ["[redacted]", "authorization_code"];
    assertEquals([sent.parameters.code, sent.parameters.grant_type], expected);
    assertNotMatch(JSON.stringify(lab.requests()), jwtHeader);
    assertMatch(
      lab.requests({ path: "/oauth2/token", secrets: true })[0]?.parameters.code ?? "",
      /^[\w-]{43}$/,
    );
  });

  it.inLab("hide the values of cookies, and a secret whose name is percent-encoded", async (lab) => {
    const browser = lab.browser();
    const post = (body: string, headers: Record<string, string>) =>
      lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", headers, body });
    await post("client%5Fsecret=third-secret", {
      Cookie: "one=first-secret; two=second-secret",
      "Content-Type": "application/x-www-form-urlencoded",
    });
    await post("client_secret=fourth-secret", {});
    await browser.authorize(authorizationUrl(lab), { user: "alice" });
    const shown = JSON.stringify(lab.requests());
    const sent = ["first-secret", "second-secret", "third-secret", "fourth-secret"];
    const secrets = [...sent, ...browser.cookies.values()];
    assertEquals(secrets.filter((secret) => shown.includes(secret)), []);
    assertEquals(lab.requests()[0]?.headers.cookie, "one=[redacted]; two=[redacted]");
  });

  it.inLab("that never come are an error, which lists what came", async (lab) => {
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    const attempt = () => lab.waitForRequest({ path: "/oauth2/token" }, { timeout: "1ms" });
    await assertRejects(attempt, LabError, "/oauth2/jwks");
  });

  it.inLab("can be sent many times, and leave no listener on their signal", async (lab) => {
    const request = new Request(`${lab.issuer}/oauth2/jwks`);
    const { signal } = request;
    const listeners = new Set<unknown>();
    Object.assign(signal, {
      addEventListener: (_type: string, listener: unknown) => listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => listeners.delete(listener),
    });
    for (const _ of [1, 2]) assertEquals((await lab.fetch(request)).status, 200);
    assertEquals(listeners.size, 0);
  });

  it.inLab("to another host do not reach the lab", async (lab) => {
    const attempt = () => lab.fetch("https://evil.example/oauth2/userinfo");
    await assertRejects(attempt, LabError, "is not an address of this lab");
  });

  it.inLab("are each returned once by waitForRequest, the oldest first", async (lab) => {
    for (const name of ["one", "two"]) await lab.fetch(`${lab.issuer}/oauth2/jwks?${name}`);
    const first = await lab.waitForRequest({ path: "/oauth2/jwks" });
    const second = await lab.waitForRequest({ path: "/oauth2/jwks" });
    assertEquals([first, second].map(({ url }) => url.split("?")[1]), ["one", "two"]);
    const third = lab.waitForRequest({ path: "/oauth2/jwks" }, { timeout: "1ms" });
    await assertRejects(() => third, LabError, "No matching request came within 1ms");
  });

  it.inLab("are waited for", async (lab) => {
    const coming = lab.waitForRequest({ path: "/oauth2/jwks" });
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals((await coming).response!.status, 200);
  });

  it.inLab("make up flows, from the request to the last use", async (lab) => {
    await login(lab, { state: "one" });
    await login(lab, { state: "two", callUserinfo: false });
    assertEquals(lab.flows().map(({ state, uses }) => [state, uses]), [["one", 1], ["two", 0]]);
    assertEquals(lab.flows()[0]?.steps.map(({ what }) => what).slice(-3), [
      "answered",
      "redeemed",
      "used",
    ]);
  });

  it.inLab("of the global fetch can be intercepted for a while", async (lab) => {
    const before = globalThis.fetch;
    {
      using _ = lab.intercept();
      assertEquals((await (await fetch(`${lab.issuer}/health`)).json()).status, "ok");
    }
    assertEquals(globalThis.fetch, before);
  });
});

describe("Labs that intercept the global fetch in parallel", () => {
  it("do so until they are closed: the next one with that issuer gets its requests", async () => {
    const before = globalThis.fetch;
    const closed = await hallpass();
    closed.intercept();
    await closed.close();
    assertEquals(globalThis.fetch, before);
    await using next = await hallpass();
    assertEquals(next.issuer, closed.issuer);
    using _ = next.intercept();
    await fetch(`${next.issuer}/oauth2/jwks`);
    assertEquals([closed.requests().length, next.requests().length], [0, 1]);
  });

  it.inLab("each respond for their own issuer, and restore the fetch in any order", async (lab) => {
    const [one, other] = [await lab.tenant(), await lab.tenant()];
    const before = globalThis.fetch;
    const asked = async (issuer: string) =>
      (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()).issuer;
    const [first, second] = [one.intercept(), other.intercept()];
    assertEquals([await asked(one.issuer), await asked(other.issuer)], [one.issuer, other.issuer]);
    first.restore();
    assertEquals(await asked(other.issuer), other.issuer);
    second.restore();
    assertEquals(globalThis.fetch, before);
  });

  it.inLab("serve their tenants too", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    using _ = lab.intercept();
    const { issuer } =
      await (await fetch("https://hallpass.test/.well-known/oauth-authorization-server/t/acme"))
        .json();
    assertEquals(issuer, tenant.issuer);
  });

  it.inLab("leave the metadata of another issuer alone whose path only ends with theirs", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    const original = globalThis.fetch;
    globalThis.fetch = async () => new Response("network");
    try {
      using _ = tenant.intercept();
      const metadata = "https://hallpass.test/.well-known/oauth-authorization-server";
      assertEquals(await (await fetch(`${metadata}/other/t/acme`)).text(), "network");
      assertEquals((await (await fetch(`${metadata}/t/acme`)).json()).issuer, tenant.issuer);
    } finally {
      globalThis.fetch = original;
    }
  });
});

describe("Tenants", () => {
  it.inLabWithFaults("have issuers, users, clocks, faults and records of their own", async (lab) => {
    const [one, other] = [await lab.tenant({ users: [{ name: "zoe" }] }), await lab.tenant()];
    one.clock.freeze();
    one.fault("token.server_error");
    await login(other);
    await assertRejects(() => login(one, { user: "zoe" }));
    assertNotEquals(one.issuer, other.issuer);
    assertEquals(one.requests({ path: "/oauth2/userinfo" }), []);
    assertEquals(other.requests({ status: 500 }), []);
    assertClean(other);
    const { access_token } = await one.mint({ sub: "zoe", scope: "openid" });
    assertEquals(await userinfo(one, access_token), 200);
    assertEquals(await userinfo(other, access_token), 401);
  });

  it.inLab("are reached by their path through the lab", async (lab) => {
    const tenant = await lab.tenant({ id: "acme" });
    const ofOAuth = "/.well-known/oauth-authorization-server/t/acme";
    for (const path of ["/t/acme/.well-known/openid-configuration", ofOAuth]) {
      const metadata = await (await lab.fetch(`https://hallpass.test${path}`)).json();
      assertEquals(metadata.issuer, tenant.issuer);
    }
    await tenant.close();
    assertEquals((await lab.fetch("https://hallpass.test/t/acme/health")).status, 404);
  });

  it("handle two hundred logins at once without interference", async () => {
    await using lab = await hallpass({ alg: "EdDSA" });
    const logins = Array.from({ length: 200 }, async (_, at) => {
      const name = `user-${at}`;
      const tenant = await lab.tenant({ alg: "EdDSA", users: [{ name }] });
      const { claims } = await login(tenant, { user: name, verifySignature: false });
      assertEquals([claims!.sub, tenant.flows().length], [name, 1]);
    });
    await Promise.all(logins);
  });

  it.inLab("reject an id that exists already, or that does not fit in a path", async (lab) => {
    await lab.tenant({ id: "a" });
    await assertRejects(() => lab.tenant({ id: "a" }), LabError, "already");
    await assertRejects(() => lab.tenant({ id: "a/b" }), LabError, "letters");
  });
});

describe("A page of Playwright", () => {
  /** Lets a page navigate to a URL, and returns the result. */
  async function navigate(
    lab: TestLab,
    url: string,
  ): Promise<{ status?: number; headers?: Record<string, string>; aborted?: boolean }> {
    let result = {};
    await lab.route({
      request: () => ({
        url: () => url,
        method: () => "GET",
        isNavigationRequest: () => true,
        allHeaders: async () => ({ ":authority": "hallpass.test", accept: "text/html" }),
        postDataBuffer: () => null,
      }),
      fulfill: async (response) => void (result = response),
      abort: async () => void (result = { aborted: true }),
    });
    return result;
  }

  it.inLab("follows a redirect by a refresh, because Playwright would send it to the network", async (lab) => {
    const { status, headers } = await navigate(lab, authorizationUrl(lab));
    assertEquals(status, 200);
    assertMatch(headers?.refresh ?? "", /^0; url=https:\/\/hallpass\.test\/oauth2\/interaction\//);
    assertMatch(headers?.["set-cookie"] ?? "", /HttpOnly/);
  });

  it.inLab("is routed to the lab for its addresses and those of its tenants, and for no other", async (lab) => {
    await lab.tenant({ issuer: "https://login.example.com" });
    const fitting: string[] = [];
    const urls = [`${lab.issuer}/x`, "https://login.example.com/y", "https://app.example.com/z"];
    await lab.route({
      route: async (fits) => void fitting.push(...urls.filter((url) => fits(new URL(url)))),
    });
    assertEquals(fitting, urls.slice(0, 2));
  });

  it.inLab("gets a failed request for a connection that breaks", needs("faults"), async (lab) => {
    lab.fault("authorize.dropped");
    assertEquals(await navigate(lab, authorizationUrl(lab)), { aborted: true });
  });
});

describe("A reset", () => {
  it.inLab("restores everything except the keys", needs("faults"), async (lab) => {
    const { tokens } = await login(lab);
    const keys = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).text();
    lab.clock.advance("1d");
    lab.users.put({ name: "dora" });
    lab.fault("token.html");
    lab.reset();
    assertEquals(lab.flows(), []);
    assertEquals(await userinfo(lab, tokens.access_token), 401);
    assertEquals(await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).text(), keys);
    assertEquals([lab.faults.list().length, lab.users.list().length], [0, 3]);
  });

  it.inLab("delays requests until it is over", async (lab) => {
    lab.reset();
    await login(lab);
  });
});

describe("The end of a lab", () => {
  it("comes once, even if both a test and the end of its block close it", async () => {
    let closed = 0;
    const store = { ...memoryStore(), close: async () => void closed++ };
    {
      await using lab = await hallpass({ store });
      await lab.close();
    }
    assertEquals(closed, 1);
  });
});

describe("A lab that listens", () => {
  it("responds on a free port until it is closed", needs("faults"), async () => {
    const lab = await hallpass({ listen: true });
    assertEquals((await client.metadata({ ...lab, fetch })).issuer, lab.issuer);
    lab.fault("jwks.dropped", { times: 1 });
    await assertRejects(async () => await (await fetch(`${lab.issuer}/oauth2/jwks`)).text());
    await lab.close();
    await assertRejects(() => fetch(`${lab.issuer}/health`));
  });

  it("has the issuer that follows from its port, written either way", async () => {
    await using first = await hallpass({ listen: {} });
    const port = Number(new URL(first.issuer).port);
    await first.close();
    for (const listen of [port, { port }]) {
      await using lab = await hallpass({ listen });
      assertEquals(lab.issuer, `http://localhost:${port}`);
    }
  });

  for (const listen of [-1, 65536, "a", null, { port: -1 }, { hostname: "0.0.0.0" }]) {
    it(`names the option if it is no port: ${JSON.stringify(listen)}`, async () => {
      const open = () => hallpass({ listen: listen as number });
      await assertRejects(
        open,
        LabError,
        "The port of 'listen' must be a whole number",
      );
    });
  }
});

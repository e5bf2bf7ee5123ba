import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import { greetLab } from "../../src/program/lab/greeting.ts";
import { ConfigError } from "../../src/server/mod.ts";
import { deviceCodeGrantType } from "../../src/server/protocol/grant_types.ts";
import { textOf } from "../support/browser.ts";
import { claimsOf } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { authorizationUrl } from "../support/login.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({
  inLabOfAlice: () => hallpass({ signIn: "alice" }),
  inLab: () => hallpass(),
  inLabWithoutConsent: () => hallpass({ consent: "skip" }),
  withLogoutAndBackChannelLogout: needs("logout", "back-channel logout"),
});

/** Opens an authorization URL as a browser without cookies does. */
async function open(lab: TestLab, url: string, cookie = ""): Promise<Response> {
  const headers = { Accept: "text/html", ...cookie && { Cookie: cookie } };
  return await lab.fetch(url, { redirect: "manual", headers });
}

async function callbackOf(lab: TestLab, changes: Record<string, string> = {}) {
  const response = await open(lab, authorizationUrl(lab, changes));
  return new URL(response.headers.get("Location") ?? "", lab.issuer).searchParams;
}

async function idTokenOf(lab: TestLab, changes: Record<string, string> = {}) {
  return claimsOf(await idTokenTextOf(lab, changes));
}

async function idTokenTextOf(lab: TestLab, changes: Record<string, string>): Promise<string> {
  const code = (await callbackOf(lab, changes)).get("code") ?? "";
  const { client_id = "demo-spa", redirect_uri = `${lab.issuer}/authorized` } = changes;
  return (await testClient({ client_id }).redeem(lab, code, { redirect_uri })).body.id_token;
}

const cli = testClient({ client_id: "demo-cli" });

async function beginDevice(lab: TestLab) {
  return (await cli.sendForm(lab, "/oauth2/device_authorization", { scope: "openid" })).body;
}

async function deviceSubject(lab: TestLab, device_code: string): Promise<unknown> {
  const { body } = await cli.token(lab, { grant_type: deviceCodeGrantType, device_code });
  return claimsOf(body.id_token).sub;
}

describe("Hands-free sign-in", () => {
  for (const settings of [{ signIn: "alice" }, { signInByHint: true }]) {
    it(`U9 K8: sets no cookie: ${JSON.stringify(settings)}`, async () => {
      await using lab = await hallpass(settings);
      for (const changes of [{}, { prompt: "login" }, { response_mode: "form_post" }]) {
        const url = authorizationUrl(lab, { login_hint: "alice", ...changes });
        const { headers } = await open(lab, url, "another=cookie");
        assertEquals(headers.getSetCookie(), []);
      }
      const { verification_uri_complete } = await beginDevice(lab);
      if ("signIn" in settings) {
        assertEquals((await open(lab, verification_uri_complete)).headers.getSetCookie(), []);
      }
    });

    it(`K8: keeps the session for prompt=none and max_age: ${JSON.stringify(settings)}`, async () => {
      await using lab = await hallpass(settings);
      lab.clock.freeze();
      const hinted = { login_hint: "alice" };
      const { sid, auth_time } = await idTokenOf(lab, hinted);
      lab.clock.advance("10m");
      for (const changes of [{ prompt: "none" }, { max_age: "3600" }]) {
        const claims = await idTokenOf(lab, { ...hinted, ...changes });
        assertEquals([claims.sid, claims.auth_time], [sid, auth_time]);
      }
      const again = await idTokenOf(lab, { ...hinted, max_age: "60" });
      assertEquals([again.sid, again.auth_time], [sid, Number(auth_time) + 600]);
    });

    it.withLogoutAndBackChannelLogout(`K8: is over for all of its clients with the logout of one: ${JSON.stringify(settings)}`, async () => {
      const told: string[] = [];
      const { promise: allTold, resolve } = Promise.withResolvers<void>();
      const fetch = async (url: string) => {
        if (told.push(url) === 2) resolve();
        return new Response();
      };
      const clients = ["one", "other"].map((id) => ({
        ...{ id, redirectUris: [`https://${id}.example/cb`], grantTypes: ["authorization_code"] },
        postLogoutRedirectUris: [`https://${id}.example/`],
        backchannelLogoutUri: `https://${id}.example/logout`,
      }));
      await using lab = await hallpass({ ...settings, clients, fetch });
      const hinted = { login_hint: "alice", scope: "openid" };
      const logIn = (client_id: string) =>
        idTokenTextOf(lab, {
          ...hinted,
          client_id,
          redirect_uri: `https://${client_id}.example/cb`,
        });
      const [id_token_hint] = [await logIn("one"), await logIn("other")];
      const query = new URLSearchParams({
        id_token_hint,
        post_logout_redirect_uri: "https://one.example/",
      });
      const { status, headers } = await open(lab, `${lab.issuer}/oauth2/logout?${query}`);
      assertEquals([status, headers.get("Location")], [303, "https://one.example/"]);
      await allTold;
      assertEquals(told.sort(), ["https://one.example/logout", "https://other.example/logout"]);
      assertNotEquals(claimsOf(await logIn("one")).sid, claimsOf(id_token_hint).sid);
    });
  }

  it("K8: signs nobody in once it is off, and leaves a browser the session of its form", async () => {
    await using lab = await hallpass({ signIn: "alice", consent: "skip" });
    const browser = lab.browser();
    await browser.authorize(authorizationUrl(lab), { user: "bob" });
    assertEquals((await idTokenOf(lab)).sub, "alice");
    await browser.authorize(authorizationUrl(lab));
    lab.signIn(false);
    const silent = authorizationUrl(lab, { prompt: "none" });
    assertEquals((await browser.authorize(silent)).error, undefined);
    assertMatch((await open(lab, silent)).headers.get("Location") ?? "", /error=login_required/);
  });

  it("answers the authorization request at once, without a page or a cookie", async () => {
    await using lab = await hallpass({ signIn: "alice" });
    const response = await open(lab, authorizationUrl(lab, { state: "s" }));
    const callback = new URL(response.headers.get("Location") ?? "");
    assertEquals(callback.pathname, "/authorized");
    assertEquals(callback.searchParams.get("state"), "s");
    assert(callback.searchParams.get("code"));
    assertEquals((await idTokenOf(lab)).sub, "alice");
  });

  for (const prompt of ["none", "login", "consent", "select_account"]) {
    it.inLabOfAlice(`succeeds with prompt=${prompt}`, async (lab) => {
      assertEquals((await idTokenOf(lab, { prompt })).sub, "alice");
    });
  }

  it.inLab("keeps the session of the browser if the request is refused", async (lab) => {
    const browser = lab.browser();
    await browser.authorize(authorizationUrl(lab), { user: "alice" });
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const { id_token = "" } = await lab.mint({ sub: "alice", scope: "openid" });
    lab.signIn("bob");
    const refused = await open(lab, authorizationUrl(lab, { id_token_hint: id_token }), cookie);
    assertMatch(refused.headers.get("Location") ?? "", /error=login_required/);
    lab.signIn(false);
    const silent = await open(lab, authorizationUrl(lab, { prompt: "none" }), cookie);
    assertMatch(silent.headers.get("Location") ?? "", /error=consent_required|code=/);
  });

  it("allows a device as soon as its user code comes, by a link or by the form", async () => {
    await using lab = await hallpass({ signIn: "alice", paths: { device: "/activate" } });
    const link = await beginDevice(lab);
    assertMatch(await (await open(lab, link.verification_uri_complete)).text(), /allowed/i);
    assertEquals(await deviceSubject(lab, link.device_code), "alice");
    const { user_code, device_code } = await beginDevice(lab);
    const body = new URLSearchParams({ user_code });
    const response = await lab.fetch(`${lab.issuer}/activate`, { method: "POST", body });
    assertEquals(response.status, 200);
    assertEquals(await deviceSubject(lab, device_code), "alice");
  });

  it.inLab("shows the page for a user code that is unknown, and counts no sign-in", async (lab) => {
    lab.signIn("alice", { times: 1 });
    const response = await open(lab, `${lab.issuer}/device?user_code=BBBB-BBBB`);
    assertMatch(await response.text(), /<form id="device"/);
    assertEquals((await callbackOf(lab)).has("code"), true);
  });

  it("answers a request by POST, and one that was pushed, which works once", async () => {
    await using lab = await hallpass({ signIn: "alice" });
    const { searchParams } = new URL(authorizationUrl(lab));
    const post = (path: string) =>
      lab.fetch(`${lab.issuer}${path}`, { method: "POST", body: searchParams, redirect: "manual" });
    assertMatch((await post("/oauth2/authorize")).headers.get("Location") ?? "", /[?&]code=/);
    const { request_uri } = await (await post("/oauth2/par")).json();
    const query = new URLSearchParams({ client_id: "demo-spa", request_uri });
    const url = `${lab.issuer}/oauth2/authorize?${query}`;
    assertMatch((await open(lab, url)).headers.get("Location") ?? "", /[?&]code=/);
    assertEquals((await open(lab, url)).status, 400);
  });

  it("keeps a session, and gives prompt=login and an old max_age a new auth_time", async () => {
    await using lab = await hallpass({ signIn: "alice" });
    lab.clock.freeze();
    const browser = lab.browser();
    const signedInAt = async (changes: Record<string, string> = {}) => {
      const { code = "" } = await browser.authorize(authorizationUrl(lab, changes));
      const { body } = await testClient().redeem(lab, code);
      return Number(claimsOf(body.id_token).auth_time);
    };
    const first = await signedInAt();
    lab.clock.advance("10m");
    assertEquals(await signedInAt(), first);
    assertEquals(await signedInAt({ max_age: "3600" }), first);
    assertEquals(await signedInAt({ max_age: "60" }), first + 600);
    lab.clock.advance("1m");
    assertEquals(await signedInAt({ prompt: "login" }), first + 660);
  });

  it.inLabOfAlice("reaches the acr that the client asks for", async (lab) => {
    const { acr } = await idTokenOf(lab, { acr_values: "urn:hallpass:two-factor" });
    assertEquals(acr, "urn:hallpass:two-factor");
  });

  it.inLabOfAlice("still rejects an invalid request, and a hint for someone else", async (lab) => {
    assertEquals((await callbackOf(lab, { scope: "unknown" })).get("error"), "invalid_scope");
    const { id_token = "" } = await lab.mint({ sub: "bob", scope: "openid", client: "demo-spa" });
    const callback = await callbackOf(lab, { id_token_hint: id_token });
    assertEquals(callback.get("error"), "login_required");
    assertEquals((await open(lab, authorizationUrl(lab, { client_id: "x" }))).status, 400);
  });

  it.inLab("can be changed for the next request, or until it is changed", async (lab) => {
    lab.signIn("bob");
    lab.signIn("carol", { times: 1 });
    const subjects = [];
    for (let index = 0; index < 3; index++) subjects.push((await idTokenOf(lab)).sub);
    assertEquals(subjects, ["carol", "bob", "bob"]);
    lab.signIn(false);
    assertMatch((await open(lab, authorizationUrl(lab))).headers.get("Location") ?? "", /interact/);
  });

  it.inLab("counts no request that is invalid", async (lab) => {
    lab.signIn("alice", { times: 1 });
    assertEquals((await callbackOf(lab, { scope: "unknown" })).get("error"), "invalid_scope");
    assertEquals((await callbackOf(lab)).has("code"), true);
    assertEquals((await callbackOf(lab)).has("code"), false);
  });

  it("is an event that tells it from a sign-in on the page", async () => {
    const events: object[] = [];
    await using lab = await hallpass({ consent: "skip", onEvent: (event) => events.push(event) });
    const unaskedOf = (type: string) =>
      events.flatMap((event: { type?: string; unasked?: boolean }) =>
        event.type === type ? [event.unasked] : []
      );
    await lab.authorize(authorizationUrl(lab), { user: "bob" });
    lab.signIn("alice");
    await callbackOf(lab);
    assertEquals(unaskedOf("sign_in.succeeded"), [undefined, true]);
    assertEquals(unaskedOf("consent.given"), [true, true]);
  });

  it.inLabOfAlice("returns to the configured user with a reset", async (lab) => {
    lab.signIn("bob");
    await lab.reset();
    assertEquals((await idTokenOf(lab)).sub, "alice");
  });

  it("is refused at the start for an unknown user, and changes nothing later", async () => {
    const error = await assertRejects(() => hallpass({ signIn: "mallory" }), ConfigError);
    assertMatch(error.message, /signIn names 'mallory'.*alice, bob, carol/);
    await using lab = await hallpass({ signIn: "alice" });
    assertThrows(() => lab.signIn("mallory"), LabError, "There is no user 'mallory'");
    assertThrows(() => lab.signIn("bob", { times: 0 }), LabError, "at least 1");
    assertEquals((await idTokenOf(lab)).sub, "alice");
  });

  it.inLabOfAlice("names the removed user in its response", async (lab) => {
    lab.users.remove("alice");
    const response = await open(lab, authorizationUrl(lab));
    assertEquals(response.status, 400);
    assertMatch(await response.text(), /'alice' was removed or disabled/);
  });

  it.inLab("belongs to one tenant", async (lab) => {
    const tenant = await lab.tenant({ signIn: "bob" });
    const { clients } = tenant;
    assert(clients.list().length > 0);
    assert((await callbackOf(tenant)).get("code"));
    assertEquals((await callbackOf(lab)).get("code"), null);
    await assertRejects(() => lab.tenant({ signIn: "mallory" }), ConfigError);
  });

  it("is named on every page and in the greeting, while it is on", async () => {
    await using lab = openLab({ issuer: "https://hallpass.test" });
    const home = async () =>
      textOf(await (await lab.fetch(new Request("https://hallpass.test/"))).text());
    const notice = /Hands-free sign-in is on: every authorization request signs in bob at once/;
    assertEquals(notice.test(await home()), false);
    const { context } = lab;
    lab.signIn("bob");
    assertMatch(await home(), notice);
    assert(lab.context === context, "the server is another one");
    const { text } = await greetLab({ server: lab, address: lab.issuer });
    assertMatch(text, /hands-free: every authorization request signs in bob/);
    lab.signIn(false);
    assertEquals(notice.test(await home()), false);
  });
});

describe("A lab that skips the consent page", () => {
  it.inLabWithoutConsent("shows the sign-in, and then responds", async (lab) => {
    const browser = lab.browser();
    const { code } = await browser.authorize(authorizationUrl(lab), { user: "alice" });
    assert(code);
    const paths = lab.requests().map(({ method, path }) => `${method} ${path.split("/").at(-1)}`);
    assertEquals(paths.filter((path) => path.endsWith("consent")), []);
    assert(paths.includes("POST sign-in"));
  });

  it("succeeds with prompt=none once the user is signed in, and fails before", async () => {
    await using lab = await hallpass({ consent: "skip" });
    const browser = lab.browser();
    const url = authorizationUrl(lab, { prompt: "none", scope: "openid" });
    assertEquals((await browser.authorize(url)).error, "login_required");
    await browser.authorize(authorizationUrl(lab), { user: "alice" });
    const wider = authorizationUrl(lab, { prompt: "none", scope: "openid email write" });
    assert((await browser.authorize(wider)).code);
  });

  it.inLabWithoutConsent("says so on every page", async (lab) => {
    const shown = textOf(await (await lab.fetch(`${lab.issuer}/`)).text());
    assertMatch(shown, /consent page is skipped/);
  });

  it("takes ask or skip", async () => {
    await assertRejects(() => hallpass({ consent: "never" as never }), ConfigError, "ask, skip");
  });
});

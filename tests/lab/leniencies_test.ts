import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass } from "../../src/testing/mod.ts";
import { claimsOf, openStrictKit } from "../support/kit.ts";
import { logoutUrl, signedIn } from "../support/logout.ts";

describe("Redirect URIs whose path is empty (RFC 3986, section 3.3), in a strict server", () => {
  const home = "http://localhost:3000";
  const client = { id: "spa", redirectUris: [home], postLogoutRedirectUris: [home] };
  const request = { client_id: "spa", redirect_uri: home, scope: "openid" };

  it("A12 get the authorization response, and the code is redeemed with the same text", async () => {
    const kit = openStrictKit({ clients: [client] });
    const browser = kit.browser();
    const callback = await browser.authorize(kit.authorizationUrl(request), {
      user: "alice",
      password: "alice",
    });
    assert(callback.startsWith(`${home}?code=`), callback);
    const code = new URL(callback).searchParams.get("code") ?? "";
    const fields = { client_id: "spa", redirect_uri: `${home}/` };
    assertEquals((await kit.redeem(code, fields)).status, 400);
    assertEquals((await kit.redeem(code, { ...fields, redirect_uri: home })).status, 200);
  });

  it("A12 A13 do not match the same URI with a slash", async () => {
    const kit = openStrictKit({ clients: [client] });
    const url = kit.authorizationUrl({ ...request, redirect_uri: `${home}/` });
    const response = await kit.server.fetch(new Request(url, { redirect: "manual" }));
    assertEquals([response.status, response.headers.get("Location")], [400, null]);
    assertMatch(await response.text(), /must be identical/);
  });

  it("A12 O13 are where users go after a sign-out, and a slash is another URI", async () => {
    const kit = openStrictKit({ clients: [client] });
    const actions = { user: "alice", password: "alice" };
    const { browser, idToken } = await signedIn(kit, request, actions);
    const leave = (uri: string) =>
      browser.open(logoutUrl(kit, { id_token_hint: idToken, post_logout_redirect_uri: uri }));
    assertMatch((await leave(`${home}/`)).url, /^https:\/\/hallpass\.test\/oauth2\/logout/);
    assertEquals((await leave(home)).url, home);
  });
});

describe("Demo clients", () => {
  it("follow the configured scopes", async () => {
    const scopes = { openid: "Know you", orders: "See your orders" };
    await using lab = await hallpass({ scopes });
    const { access_token } = await lab.mint({ sub: "demo-service" });
    assertEquals(claimsOf(access_token).scope, "orders");
    assertEquals(lab.clients.get("demo-spa").defaultScope, undefined);
  });

  it("follow the configured grants", async () => {
    await using lab = await hallpass({ grantTypes: ["client_credentials"] });
    assertEquals(lab.clients.list().map(({ id }) => id), ["demo-jwt", "demo-service"]);
    assertEquals(lab.clients.get("demo-service").grantTypes, ["client_credentials"]);
  });

  it("keep what they had with the scopes and grants of a lab", async () => {
    await using lab = await hallpass();
    const service = lab.clients.get("demo-service");
    assertEquals([service.scopes, service.defaultScope], [["read", "write"], ["read"]]);
    assertEquals(service.grantTypes?.length, 3);
    assert(service.tokenExchange);
  });

  it("start a flow with the scopes that exist", async () => {
    await using lab = await hallpass({ scopes: { openid: "Know you", orders: "Orders" } });
    const start = await lab.fetch(`${lab.issuer}/start?client_id=demo-spa`, { redirect: "manual" });
    const link = new URL(start.headers.get("Location") ?? "");
    assertEquals(link.searchParams.get("scope"), "openid");
  });
});

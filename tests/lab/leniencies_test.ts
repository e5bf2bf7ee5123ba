import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type HallpassOptions } from "../../src/lab/testing/mod.ts";
import { ConfigError } from "../../src/server/mod.ts";
import { itWith } from "../support/it_with.ts";
import { claimsOf, openStrictKit } from "../support/kit.ts";
import { logoutUrl, signedIn } from "../support/logout.ts";
import { authorizeAsAlice as authorize, client } from "../support/nonce_client.ts";
import { testClient } from "../support/test_client.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass(), withAnyClient: needs("any_client") });

describe("Redirect URIs whose path is empty (RFC 3986, section 3.3), in a strict server", () => {
  const home = "http://localhost:3000";
  const signOut = hasFeature("logout") ? { postLogoutRedirectUris: [home] } : {};
  const client = { id: "spa", redirectUris: [home], ...signOut };
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

  it.inLab("keep what they had with the scopes and grants of a lab", async (lab) => {
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

describe("Scopes of a lab", () => {
  it("may be a list; those of OpenID Connect keep their text", async () => {
    await using lab = await hallpass({ scopes: ["openid", "orders"] });
    assertEquals((await client.metadata(lab)).scopes_supported, ["openid", "orders"]);
    assert((await authorize(lab, { scope: "openid orders" })).parameters.code);
    assertEquals((await authorize(lab, { scope: "read" })).parameters.error, "invalid_scope");
  });

  it.withAnyClient("are the lab's defaultScope for an unknown client whose request names none", async () => {
    await using lab = await hallpass({ anyClient: true, defaultScope: ["openid"] });
    const unknown = testClient({ client_id: "unknown", redirect_uri: "https://app.example/cb" });
    const { scope, id_token } = await unknown.tokens(lab, { scope: "" });
    assertEquals([scope, typeof id_token], ["openid", "string"]);
  });
});

describe("A leniency, under a profile", () => {
  const profiles = [
    { profile: "fapi-2.0", alg: "PS256" },
    { profile: "mcp", resources: ["https://a.example"] },
  ] as const;
  const leniencies: ReadonlyArray<[feature: string, HallpassOptions]> = [
    ["any_client", { anyClient: true }],
    ["any_scope", { anyScope: true }],
    ["any_grant", { anyGrant: { user: "alice", scopes: [] } }],
    ["redirect_status", { redirectStatus: 302 }],
    ["response_types", { responseTypes: ["id_token", "fragment"] }],
  ];
  for (const profile of profiles) {
    for (const [feature, leniency] of leniencies) {
      const [name = ""] = Object.keys(leniency);
      const title = `is refused like every leniency: ${name} under ${profile.profile}`;
      it(title, needs(feature), async () => {
        const options = { ...profile, ...leniency } as HallpassOptions;
        const error = await assertRejects(() => hallpass(options), ConfigError);
        assertMatch(error.message, new RegExp(`${name} .*the profile ${profile.profile}`));
      });
    }
  }
});

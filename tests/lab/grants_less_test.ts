import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import type { ScopePolicy } from "../../src/server/mod.ts";
import { deviceCodeGrantType } from "../../src/server/protocol/grant_types.ts";
import { basic, claimsOf, service } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { assertClean } from "../support/reported.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(settings),
  withFaultsAndIntrospection: needs("faults", "introspection"),
});

const redirectUri = "https://app.example/callback";
const settings = { clients: [{ id: "app", redirectUris: [redirectUri], partialConsent: true }] };

const client = testClient({
  client_id: "app",
  redirect_uri: redirectUri,
  scope: "openid read write",
});
const urlOf = client.authorizationUrl;

async function redeem(lab: TestLab, code = "") {
  return (await client.redeem(lab, code)).body;
}

async function refresh(lab: TestLab, refresh_token: string) {
  return (await client.refresh(lab, refresh_token)).body;
}

/** Opens an authorization URL without a cookie, and returns the parameters of the callback. */
async function handsFree(lab: TestLab, url = urlOf(lab)): Promise<URLSearchParams> {
  const response = await lab.fetch(url, { redirect: "manual" });
  return new URL(response.headers.get("Location") ?? "").searchParams;
}

describe("A user who allows less than was requested", () => {
  it.inLab("ticks boxes of the consent page: lab.authorize(url, { grant })", async (lab) => {
    const { code } = await lab.authorize(urlOf(lab), { user: "alice", grant: ["read"] });
    assertEquals((await redeem(lab, code)).scope, "openid read");
  });

  it.inLab("allows all without a grant, and gets a scope back at the next request", async (lab) => {
    await lab.authorize(urlOf(lab), { user: "alice", grant: ["read"] });
    const { code } = await lab.authorize(urlOf(lab), { user: "alice" });
    assertEquals((await redeem(lab, code)).scope, "openid read write");
  });

  it("does so at the page of a device", async () => {
    await using lab = await hallpass({
      clients: [{ id: "app", grantTypes: [deviceCodeGrantType], partialConsent: true }],
    });
    const path = "/oauth2/device_authorization";
    const { body: device } = await client.sendForm(lab, path, { scope: "read write" });
    await lab.authorize(device.verification_uri_complete, { user: "alice", grant: ["write"] });
    const { device_code } = device;
    const { body } = await client.token(lab, { grant_type: deviceCodeGrantType, device_code });
    assertEquals(body.scope, "write");
  });

  it.inLab("does so without a page: lab.signIn(user, { grant })", async (lab) => {
    lab.signIn("alice", { grant: ["read"], times: 1 });
    const code = (await handsFree(lab)).get("code") ?? "";
    assertEquals((await redeem(lab, code)).scope, "openid read");
  });

  it.inLab("denies a request of which nothing is left", async (lab) => {
    lab.signIn("alice", { grant: ["email"] });
    assertEquals(
      (await handsFree(lab, urlOf(lab, { scope: "read write" }))).get("error"),
      "access_denied",
    );
  });

  it("needs no setting of the client where no page is shown", async () => {
    await using lab = await hallpass({ clients: [{ id: "app", redirectUris: [redirectUri] }] });
    lab.signIn("alice", { grant: ["read"] });
    const code = (await handsFree(lab)).get("code") ?? "";
    assertEquals((await redeem(lab, code)).scope, "openid read");
  });

  it.inLab("is named on every page", async (lab) => {
    lab.signIn("alice", { grant: ["read"] });
    const page = await (await lab.fetch(`${lab.issuer}/`)).text();
    assertMatch(page, /signs in alice at once, who consents to no more than: read\./);
  });

  it.inLab("has a grant that the page knows", async (lab) => {
    const authorize = (grant: unknown, client_id = "app") =>
      lab.authorize(urlOf(lab, { client_id }), { user: "alice", grant: grant as string[] });
    await assertRejects(() => authorize(["email"]), LabError, "box on the consent page 'email'");
    await assertRejects(() => authorize(["raed"]), LabError, "scope 'raed'");
    await assertRejects(() => authorize("read"), LabError, "must be a list of scopes");
    lab.clients.put({ id: "whole", redirectUris: [redirectUri] });
    await assertRejects(() => authorize(["read"], "whole"), LabError, "partialConsent: true");
    assertThrows(() => lab.signIn("alice", { grant: ["raed"] }), LabError, "scope 'raed'");
  });
});

describe("The fault refresh.less_scope", () => {
  for (const accessTokenFormat of ["jwt", "opaque"] as const) {
    it.withFaultsAndIntrospection(`shrinks the scope of one refresh, in the token as well: ${accessTokenFormat}`, async () => {
      const clients = [{ id: "app", redirectUris: [redirectUri], accessTokenFormat }];
      await using lab = await hallpass({
        clients: [...clients, { id: "api", secret: "api-secret", introspect: "any" as const }],
      });
      lab.fault("refresh.less_scope", { times: 1 });
      const { code } = await lab.authorize(urlOf(lab), { user: "alice" });
      const second = await refresh(lab, (await redeem(lab, code)).refresh_token);
      const api = basic("api", "api-secret");
      const { body } = await client.introspect(lab, second.access_token, {}, api);
      assertEquals([second.scope, body.scope], ["openid read", "openid read"]);
      const third = await refresh(lab, second.refresh_token);
      assertEquals(third.scope, "openid read write");
    });
  }
});

describe("The fault token.less_scope", () => {
  it("K9: grants less to a client without a user", needs("faults"), async () => {
    await using lab = await hallpass();
    lab.fault("token.less_scope", { client: "demo-service" });
    const ask = async (scope: string) =>
      (await client.token(lab, { grant_type: "client_credentials", scope }, service)).body;
    const { scope, access_token } = await ask("read write");
    assertEquals([scope, claimsOf(access_token).scope], ["read", "read"]);
    assertEquals((await ask("read")).scope, "read");
    assertClean(lab, { refused: true });
  });

  it.inLab("leaves the scope of a login alone", needs("faults"), async (lab) => {
    lab.fault("token.less_scope", { mayStayIdle: true });
    const { code } = await lab.authorize(urlOf(lab), { user: "alice" });
    assertEquals((await redeem(lab, code)).scope, "openid read write");
  });
});

describe("The policy for scopes", () => {
  /** Opens a lab whose policy permits these scopes, each on its occasion. */
  async function openWith(permitted: Partial<Record<Parameters<ScopePolicy>[3], string[]>>) {
    const calls: unknown[] = [];
    const scope: ScopePolicy = (user, client, requested, occasion) => {
      calls.push([user.name, client.id, occasion]);
      return permitted[occasion] ?? requested;
    };
    return { lab: await hallpass({ ...settings, policies: { scope } }), calls };
  }

  it("leaves a part of the scope to the client, and the user is asked for no more", async () => {
    const { lab, calls } = await openWith({ authorization: ["read", "openid"] });
    const { code } = await lab.authorize(urlOf(lab), { user: "alice" });
    assertEquals((await redeem(lab, code)).scope, "openid read");
    assertEquals(calls[0], ["alice", "app", "authorization"]);
  });

  it("shrinks the scope of a refresh, which the response names (RFC 6749, section 5.1)", async () => {
    const permitted = { refresh: ["read"] };
    const { lab } = await openWith(permitted);
    const { code } = await lab.authorize(urlOf(lab), { user: "alice" });
    const first = await redeem(lab, code);
    const second = await refresh(lab, first.refresh_token);
    assertEquals([first.scope, second.scope], ["openid read write", "read"]);
    permitted.refresh = ["openid", "read", "write"];
    assertEquals((await refresh(lab, second.refresh_token)).scope, "openid read write");
  });

  it("denies a request of which it leaves nothing, and a refresh", async () => {
    const { lab } = await openWith({ authorization: [] });
    const { error } = await lab.authorize(urlOf(lab), { user: "alice" });
    assertEquals(error, "access_denied");
    const { lab: other } = await openWith({ refresh: [] });
    const { code } = await other.authorize(urlOf(other), { user: "alice" });
    const { refresh_token } = await redeem(other, code);
    const refused = await refresh(other, refresh_token);
    assertEquals(refused.error, "invalid_grant");
  });

  it("must return a part of what was requested", async () => {
    const { lab } = await openWith({ authorization: ["admin"] });
    const { error } = await lab.authorize(urlOf(lab), { user: "alice" });
    assertEquals(error, "server_error");
  });
});

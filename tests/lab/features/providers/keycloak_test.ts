import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import type { HallpassOptions, TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  askProvider,
  loggedIn,
  logIn,
  openProvider,
  requestTokens,
  webClient,
} from "../../../support/provider_login.ts";

const it = itWith({ inLab: () => open(), afterLogin: () => loggedIn(open(), urlsOf, { scope }) });

const scope = "openid profile email";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const open = (options: HallpassOptions = {}) => openProvider("keycloak", options);

function urlsOf({ issuer }: TestLab) {
  const base = `${issuer}/protocol/openid-connect`;
  return { authorize: `${base}/auth`, token: `${base}/token` };
}

describe("A lab that plays Keycloak", () => {
  it.inLab("keycloak.issuer: is a realm, which a test may choose", async (lab) => {
    assertEquals(lab.issuer, "https://hallpass.test/realms/master");
    await using other = await open({ issuer: "https://sso.example/realms/shop" });
    assertEquals(other.issuer, "https://sso.example/realms/shop");
  });

  it.inLab("keycloak.paths: has its endpoints below /protocol/openid-connect", async (lab) => {
    const url = `${lab.issuer}/.well-known/openid-configuration`;
    const metadata = await (await lab.fetch(url)).json();
    const base = `${lab.issuer}/protocol/openid-connect`;
    assertEquals(metadata.jwks_uri, `${base}/certs`);
    assertEquals(metadata.introspection_endpoint, `${base}/token/introspect`);
    assertEquals(metadata.end_session_endpoint, `${base}/logout`);
  });

  it.inLab("keycloak.fragment: Z1: sends a code in a fragment, where keycloak-js expects it", async (lab) => {
    const asked = { scope, response_mode: "fragment" };
    const { headers } = await askProvider(lab, urlsOf(lab).authorize, asked);
    assertMatch(headers.get("Location") ?? "", /^https:\/\/app\.example\/callback#code=/);
  });

  it.inLab("keycloak.more_paths: takes pushed requests and registrations where a realm does", async (lab) => {
    const url = `${lab.issuer}/.well-known/openid-configuration`;
    const metadata = await (await lab.fetch(url)).json();
    const pushed = `${lab.issuer}/protocol/openid-connect/ext/par/request`;
    assertEquals(metadata.pushed_authorization_request_endpoint, pushed);
    assertEquals((await lab.fetch(pushed, { method: "POST" })).status, 400);
    const registration = `${lab.issuer}/clients-registrations/openid-connect`;
    assertEquals(metadata.registration_endpoint, registration);
    const body = JSON.stringify({ redirect_uris: ["https://app.example/callback"] });
    const headers = { "Content-Type": "application/json" };
    assertEquals((await lab.fetch(registration, { method: "POST", headers, body })).status, 201);
  });

  it("keycloak.access_token keycloak.uuid keycloak.roles keycloak.profile: has a JWT with roles, which verifies", async () => {
    const claims = { roles: ["admin"], email: "zoe@example.org", preferred_username: "zoe" };
    await using lab = await open({ users: [{ name: "zoe", claims }], signIn: "zoe" });
    const { tokens } = await logIn(lab, urlsOf(lab), { scope });
    const certs = await lab.fetch(`${lab.issuer}/protocol/openid-connect/certs`);
    const { payload } = await jwtVerify(
      tokens.access_token,
      createLocalJWKSet(await certs.json()),
      { issuer: lab.issuer, currentDate: new Date(lab.clock.now()) },
    );
    assertEquals(payload.realm_access, { roles: ["admin"] });
    assertEquals([payload.client_id, payload.resource_access], [undefined, undefined]);
    assertEquals([payload.typ, payload.azp, payload.scope], ["Bearer", "web", scope]);
    assertEquals([payload.preferred_username, payload.email], ["zoe", "zoe@example.org"]);
    assertMatch(payload.sub ?? "", uuid);
    assertEquals(decodeProtectedHeader(tokens.access_token).typ, "JWT");
    const userinfo = await lab.fetch(`${lab.issuer}/protocol/openid-connect/userinfo`, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    assertEquals((await userinfo.json()).sub, payload.sub);
  });

  it.afterLogin("keycloak.audience keycloak.lifetime: are account and five minutes, or as chosen", async ({ tokens }) => {
    assertEquals([decodeJwt(tokens.access_token).aud, tokens.expires_in], ["account", 300]);
    const dialect = { accessToken: { set: { aud: "shop-api" } } };
    await using other = await open({ dialect, lifetimes: { accessToken: "1h" } });
    const own = await logIn(other, urlsOf(other), { scope });
    const expected = ["shop-api", 3600];
    assertEquals([decodeJwt(own.tokens.access_token).aud, own.tokens.expires_in], expected);
  });

  it("keycloak.client_roles: has the roles that a user has at clients", async () => {
    const resource_access = { shop: { roles: ["seller"] } };
    const users = [{ name: "zoe", claims: { resource_access } }];
    await using lab = await open({ users, signIn: "zoe" });
    const { token } = await lab.mint({ sub: "zoe", scope, client: "web" });
    assertEquals(decodeJwt(token).resource_access, resource_access);
  });

  it.afterLogin("keycloak.refresh_token keycloak.lifetime: refreshes with a JWT of 30 minutes, once", async ({ lab, tokens }) => {
    const { exp = 0, iat = 0, typ, azp, sub, aud } = decodeJwt(tokens.refresh_token);
    assertEquals([exp - iat, typ, azp, aud], [1800, "Refresh", "web", lab.issuer]);
    assertEquals(sub, decodeJwt(tokens.id_token).sub);
    assertEquals(decodeProtectedHeader(tokens.refresh_token).alg, "HS512");
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const next = await (await requestTokens(lab, urlsOf(lab).token, fields)).json();
    assertEquals(decodeJwt(next.refresh_token).typ, "Refresh");
    const again = await requestTokens(lab, urlsOf(lab).token, fields);
    assertEquals((await again.json()).error, "invalid_grant");
    lab.clock.advance("31m");
    const late = { ...fields, refresh_token: next.refresh_token };
    assertEquals(
      (await (await requestTokens(lab, urlsOf(lab).token, late)).json()).error,
      "invalid_grant",
    );
  });

  it.afterLogin("keycloak.refresh_token: introspects and revokes the JWT, and no claim of it is believed", async ({ lab, tokens }) => {
    const fields = { token: tokens.refresh_token };
    const introspect = `${urlsOf(lab).token}/introspect`;
    assertEquals((await (await requestTokens(lab, introspect, fields)).json()).active, true);
    const [header = "", , signature = ""] = tokens.refresh_token.split(".");
    const forged = { ...decodeJwt(tokens.refresh_token), jti: "unknown" };
    const payload = btoa(JSON.stringify(forged)).replace(/=+$/, "");
    const refresh_token = [header, payload, signature].join(".");
    const refused = await requestTokens(lab, urlsOf(lab).token, {
      ...{ grant_type: "refresh_token", refresh_token },
    });
    assertEquals((await refused.json()).error, "invalid_grant");
    const revoke = `${lab.issuer}/protocol/openid-connect/revoke`;
    assertEquals((await requestTokens(lab, revoke, fields)).status, 200);
    assertEquals((await (await requestTokens(lab, introspect, fields)).json()).active, false);
  });

  it("keycloak.secret_twice: takes one secret in header and body, and no two", async () => {
    await using lab = await open();
    const { tokens } = await logIn(lab, urlsOf(lab), { scope });
    const secret = webClient.secret ?? "";
    const headers = { Authorization: `Basic ${btoa(`web:${secret}`)}` };
    const url = `${urlsOf(lab).token}/introspect`;
    const ask = (client_secret: string) =>
      requestTokens(lab, url, { token: tokens.access_token, client_secret }, headers);
    assertEquals((await (await ask(secret)).json()).active, true);
    assertEquals((await (await ask("another")).json()).error, "invalid_request");
  });

  it.afterLogin("keycloak.id_token keycloak.acr: says typ ID and azp", async ({ tokens }) => {
    const { typ, azp, acr, name } = decodeJwt(tokens.id_token);
    assertEquals([typ, azp, acr, name], ["ID", "web", "1", "Alice Adler"]);
  });

  it.inLab("keycloak.response keycloak.pkce: has session_state, and needs no PKCE", async (lab) => {
    const { tokens, callback } = await logIn(lab, urlsOf(lab), { scope });
    const others = tokens as unknown as Record<string, unknown>;
    assertMatch(String(others.session_state), uuid);
    assertMatch(callback.session_state ?? "", uuid);
    assertEquals([others["not-before-policy"], callback.iss], [0, lab.issuer]);
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const refreshed = await requestTokens(lab, urlsOf(lab).token, fields);
    assert((await refreshed.json()).refresh_token);
  });
});

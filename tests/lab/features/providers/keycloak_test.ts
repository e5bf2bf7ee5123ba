import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import type { HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { loggedIn, openProvider, webClient } from "../../../support/provider_login.ts";

const it = itWith({ inLab: () => open(), afterLogin: () => loggedIn(open(), { scope }) });

const scope = "openid profile email";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const open = (options: HallpassOptions = {}) => openProvider("keycloak", options);

describe("A lab that plays Keycloak", () => {
  it.inLab("keycloak.issuer: is a realm, which a test may choose", async (lab) => {
    assertEquals(lab.issuer, "https://hallpass.test/realms/master");
    await using other = await open({ issuer: "https://sso.example/realms/shop" });
    assertEquals(other.issuer, "https://sso.example/realms/shop");
  });

  it.inLab("keycloak.paths: has its endpoints below /protocol/openid-connect", async (lab) => {
    const metadata = await lab.json(`${lab.issuer}/.well-known/openid-configuration`);
    const base = `${lab.issuer}/protocol/openid-connect`;
    assertEquals(metadata.jwks_uri, `${base}/certs`);
    assertEquals(metadata.introspection_endpoint, `${base}/token/introspect`);
    assertEquals(metadata.end_session_endpoint, `${base}/logout`);
  });

  it.inLab("keycloak.fragment: Z1: sends a code in a fragment, where keycloak-js expects it", async (lab) => {
    const asked = { scope, response_mode: "fragment" };
    const { headers } = await lab.ask(asked);
    assertMatch(headers.get("Location") ?? "", /^https:\/\/app\.example\/callback#code=/);
  });

  it.inLab("keycloak.more_paths: takes pushed requests and registrations where a realm does", async (lab) => {
    const metadata = await lab.json(`${lab.issuer}/.well-known/openid-configuration`);
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
    const { tokens } = await lab.logIn({ scope });
    const keys = `${lab.issuer}/protocol/openid-connect/certs`;
    const { payload } = await lab.verify(tokens.access_token, keys, "account");
    assertEquals(payload.realm_access, { roles: ["admin"] });
    assertEquals([payload.client_id, payload.resource_access], [undefined, undefined]);
    assertEquals([payload.typ, payload.azp, payload.scope], ["Bearer", "web", scope]);
    assertEquals([payload.preferred_username, payload.email], ["zoe", "zoe@example.org"]);
    assertMatch(payload.sub ?? "", uuid);
    assertEquals(decodeProtectedHeader(tokens.access_token).typ, "JWT");
    const userinfo = `${lab.issuer}/protocol/openid-connect/userinfo`;
    assertEquals((await lab.json(userinfo, tokens.access_token)).sub, payload.sub);
  });

  it.afterLogin("keycloak.audience keycloak.lifetime: are account and five minutes, or as chosen", async ({ tokens }) => {
    assertEquals([decodeJwt(tokens.access_token).aud, tokens.expires_in], ["account", 300]);
    const dialect = { accessToken: { set: { aud: "shop-api" } } };
    await using other = await open({ dialect, lifetimes: { accessToken: "1h" } });
    const own = await other.logIn({ scope });
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
    const { body: next } = await lab.refresh(tokens.refresh_token);
    assertEquals(decodeJwt(next.refresh_token).typ, "Refresh");
    assertEquals((await lab.refresh(tokens.refresh_token)).body.error, "invalid_grant");
    lab.clock.advance("31m");
    assertEquals((await lab.refresh(next.refresh_token)).body.error, "invalid_grant");
  });

  it.afterLogin("keycloak.refresh_token: introspects and revokes the JWT, and no claim of it is believed", async ({ lab, tokens }) => {
    const fields = { token: tokens.refresh_token };
    const introspect = () => lab.form(`${lab.tokenUrl}/introspect`, fields);
    assertEquals((await introspect()).body.active, true);
    const [header = "", , signature = ""] = tokens.refresh_token.split(".");
    const forged = { ...decodeJwt(tokens.refresh_token), jti: "unknown" };
    const payload = btoa(JSON.stringify(forged)).replace(/=+$/, "");
    const refresh_token = [header, payload, signature].join(".");
    assertEquals((await lab.refresh(refresh_token)).body.error, "invalid_grant");
    const revoke = `${lab.issuer}/protocol/openid-connect/revoke`;
    assertEquals((await lab.form(revoke, fields)).status, 200);
    assertEquals((await introspect()).body.active, false);
  });

  it("keycloak.secret_twice: takes one secret in header and body, and no two", async () => {
    await using lab = await open();
    const { tokens } = await lab.logIn({ scope });
    const secret = webClient.secret ?? "";
    const headers = { Authorization: `Basic ${btoa(`web:${secret}`)}` };
    const url = `${lab.tokenUrl}/introspect`;
    const ask = (client_secret: string) =>
      lab.form(url, { token: tokens.access_token, client_secret }, headers);
    assertEquals((await ask(secret)).body.active, true);
    assertEquals((await ask("another")).body.error, "invalid_request");
  });

  it.afterLogin("keycloak.id_token keycloak.acr: says typ ID and azp", async ({ tokens }) => {
    const { typ, azp, acr, name } = decodeJwt(tokens.id_token);
    assertEquals([typ, azp, acr, name], ["ID", "web", "1", "Alice Adler"]);
  });

  it.inLab("keycloak.response keycloak.pkce: has session_state, and needs no PKCE", async (lab) => {
    const { tokens, callback } = await lab.logIn({ scope });
    const others = tokens as unknown as Record<string, unknown>;
    assertMatch(String(others.session_state), uuid);
    assertMatch(callback.session_state ?? "", uuid);
    assertEquals([others["not-before-policy"], callback.iss], [0, lab.issuer]);
    assert((await lab.refresh(tokens.refresh_token)).body.refresh_token);
  });
});

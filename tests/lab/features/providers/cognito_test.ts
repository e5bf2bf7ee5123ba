import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  askProvider,
  callbackOf,
  logIn,
  openProvider,
  requestTokens,
  signInAt,
  webClient,
} from "../../../support/provider_login.ts";

const it = itWith({ inLab: () => open(), inLabWithGroups: () => open({ users }) });

const origin = "https://hallpass.test";
const urls = { authorize: `${origin}/oauth2/authorize`, token: `${origin}/oauth2/token` };
const scope = "openid profile email";
const open = (options: HallpassOptions = {}) => openProvider("cognito", options);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

/** The user of a login, with a group. */
const users = [{
  name: "alice",
  claims: { name: "Alice", email: "a@b.example", email_verified: true, "cognito:groups": ["ops"] },
}];

async function keysOf(lab: TestLab) {
  return await (await lab.fetch(`${lab.issuer}/.well-known/jwks.json`)).json();
}

describe("A lab that plays Amazon Cognito", () => {
  it.inLab("cognito.issuer cognito.domain: has the pool in its issuer, and no endpoint below it", async (lab) => {
    assertEquals(lab.issuer, `${origin}/us-east-1_Hallpass1`);
    const { tokens } = await logIn(lab, urls, { scope });
    assertEquals(decodeJwt(tokens.id_token).iss, lab.issuer);
  });

  it.inLab("cognito.page: X3: signs in at the page /login as well", async (lab) => {
    const { tokens } = await logIn(lab, { ...urls, authorize: `${origin}/login` }, { scope });
    assertEquals(decodeJwt(tokens.id_token).iss, lab.issuer);
  });

  it("cognito.issuer cognito.domain: are below the path of a tenant", async () => {
    await using lab = await hallpass({
      providers: ["cognito"],
      clients: [webClient],
      signIn: "alice",
    });
    const tenant = lab.provider("cognito");
    assertEquals(tenant.issuer, `${origin}/t/cognito/us-east-1_Hallpass1`);
    const { tokens } = await logIn(tenant, {
      authorize: `${origin}/t/cognito/oauth2/authorize`,
      token: `${origin}/t/cognito/oauth2/token`,
    }, { scope });
    assertEquals(decodeJwt(tokens.access_token).iss, tenant.issuer);
  });

  it("cognito.domain: has its endpoints at a second host, with the issuer at the first", async () => {
    const domain = "https://shop.auth.eu-west-1.amazoncognito.com";
    const pool = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1";
    await using lab = await open({ issuer: pool, frontChannelUrl: domain, backChannelUrl: domain });
    const metadata = await (await lab.fetch(`${pool}/.well-known/openid-configuration`)).json();
    assertEquals(metadata.authorization_endpoint, `${domain}/oauth2/authorize`);
    assertEquals(metadata.jwks_uri, `${pool}/.well-known/jwks.json`);
    const { tokens } = await logIn(lab, {
      authorize: metadata.authorization_endpoint,
      token: metadata.token_endpoint,
    }, { scope });
    assertEquals(decodeJwt(tokens.access_token).iss, pool);
    const userinfo = await lab.fetch(metadata.userinfo_endpoint, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    assertEquals((await userinfo.json()).username, "alice");
  });

  it("cognito.domain: is intercepted with its issuer, at the same host or a second one", async () => {
    const pool = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1";
    const domain = "https://shop.auth.eu-west-1.amazoncognito.com";
    for (const channels of [{}, { frontChannelUrl: domain, backChannelUrl: domain }]) {
      await using lab = await open({ issuer: pool, ...channels });
      using _ = lab.intercept();
      const metadata = await (await fetch(`${pool}/.well-known/openid-configuration`)).json();
      assertEquals((await fetch(metadata.userinfo_endpoint)).status, 401);
      assertEquals((await fetch(metadata.jwks_uri)).status, 200);
    }
  });

  it("cognito.keys: signs ID tokens and access tokens with different keys, without a typ", async () => {
    const events: string[] = [];
    await using lab = await open({ onEvent: ({ type }) => void events.push(type) });
    const { keys } = await keysOf(lab);
    assertEquals(keys.length, 2);
    // The second key replaces none.
    assertEquals(events.filter((type) => type.startsWith("key.")), ["key.made", "key.made"]);
    const { tokens } = await logIn(lab, urls, { scope });
    const currentDate = new Date(lab.clock.now());
    const kids = await Promise.all([tokens.id_token, tokens.access_token].map(async (token) => {
      await jwtVerify(token, createLocalJWKSet({ keys }), { currentDate });
      const { kid, ...others } = decodeProtectedHeader(token);
      assertEquals(others, { alg: "RS256" });
      return kid;
    }));
    assertNotEquals(kids[0], kids[1]);
    assertEquals((await keysOf(lab)).keys, keys);
  });

  it.inLab("cognito.keys: keeps both keys over time, and mints with them", async (lab) => {
    const minted = await lab.mint({ kind: "id", sub: "alice", client: "web" });
    const { keys } = await keysOf(lab);
    lab.clock.advance("400d");
    assertEquals((await keysOf(lab)).keys, keys);
    const access = await lab.mint({ sub: "alice", client: "web" });
    const [first, second] = [minted, access].map(({ token }) => decodeProtectedHeader(token).kid);
    assertNotEquals(first, second);
  });

  it.inLabWithGroups("cognito.access_token cognito.uuid: has client_id, username and groups, but no aud", async (lab) => {
    lab.clock.freeze();
    const { tokens } = await logIn(lab, urls, { scope });
    const { sub, iat = 0, exp = 0, auth_time, jti, origin_jti, ...others } = decodeJwt(
      tokens.access_token,
    );
    assertEquals(others, {
      iss: lab.issuer,
      client_id: "web",
      username: "alice",
      "cognito:groups": ["ops"],
      token_use: "access",
      version: 2,
      scope,
    });
    for (const id of [sub, jti, origin_jti]) assertMatch(String(id), uuid);
    assertEquals([exp - iat, auth_time], [3600, iat]);
  });

  it.inLabWithGroups("cognito.id_token: has cognito:username, token_use and the origin of the access token", async (lab) => {
    const { tokens } = await logIn(lab, urls, { scope });
    const claims = decodeJwt(tokens.id_token);
    assertEquals(Object.keys(claims).sort(), [
      ...["at_hash", "aud", "auth_time", "cognito:groups", "cognito:username", "email"],
      ...[
        "email_verified",
        "exp",
        "iat",
        "iss",
        "jti",
        "name",
        "nonce",
        "origin_jti",
        "sub",
        "token_use",
      ],
    ]);
    const expected = ["web", "alice", "id"];
    assertEquals([claims.aud, claims["cognito:username"], claims.token_use], expected);
    assertEquals(claims.origin_jti, decodeJwt(tokens.access_token).origin_jti);
    assertNotEquals(claims.jti, decodeJwt(tokens.access_token).jti);
  });

  it.inLabWithGroups("cognito.userinfo: has texts where the ID token has booleans", async (lab) => {
    const { tokens } = await logIn(lab, urls, { scope });
    assertEquals(decodeJwt(tokens.id_token).email_verified, true);
    const response = await lab.fetch(`${origin}/oauth2/userInfo`, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    const { email_verified, username, sub } = await response.json();
    assertEquals([email_verified, username], ["true", "alice"]);
    assertEquals(sub, decodeJwt(tokens.id_token).sub);
  });

  it("cognito.scopes cognito.ignored: leaves out the scopes that a client lacks", async () => {
    const scopes = { openid: "Sign in", "orders/read": "Read orders", "orders/write": "Write" };
    const web = { ...webClient, scopes: ["openid", "orders/read"] };
    await using lab = await open({ scopes, clients: [web] });
    const { tokens } = await logIn(lab, urls, { scope: "openid orders/read orders/write nothing" });
    assertEquals(decodeJwt(tokens.access_token).scope, "openid orders/read");
    const refused = await askProvider(lab, urls.authorize, { scope: "orders/write" });
    assertEquals(callbackOf(refused).error, "invalid_scope");
  });

  it("cognito.ignored: leaves them out for a client without a user as well", async () => {
    const scopes = { "orders/read": "Read orders", "orders/write": "Write orders" };
    const job = { ...webClient, grantTypes: ["client_credentials"], scopes: ["orders/read"] };
    await using lab = await open({ scopes, clients: [job as typeof webClient] });
    const response = await requestTokens(lab, urls.token, {
      ...{ grant_type: "client_credentials", scope: "orders/read orders/write" },
    });
    const claims = decodeJwt((await response.json()).access_token);
    const expected = ["orders/read", undefined, "web"];
    assertEquals([claims.scope, claims.username, claims.client_id], expected);
  });

  it.inLab("cognito.refresh cognito.response: returns a refresh token once, and the same origin", async (lab) => {
    const { tokens } = await logIn(lab, urls, { scope });
    assertEquals(Object.keys(tokens).sort(), [
      ...["access_token", "expires_in", "id_token", "refresh_token", "token_type"],
    ]);
    lab.clock.advance("10m");
    const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
    const refreshed = await (await requestTokens(lab, urls.token, fields)).json();
    assertEquals(refreshed.refresh_token, undefined);
    const [before, after] = [tokens, refreshed].map((each) => decodeJwt(each.access_token));
    assertEquals(after?.origin_jti, before?.origin_jti);
    assertEquals(after?.auth_time, before?.auth_time);
    assertNotEquals(after?.jti, before?.jti);
    assertEquals((await requestTokens(lab, urls.token, fields)).status, 200);
  });

  it("cognito.lifetime: is what a test chooses, for an hour otherwise", async () => {
    await using lab = await open({ lifetimes: { accessToken: "5m" } });
    assertEquals((await logIn(lab, urls, { scope })).tokens.expires_in, 300);
  });

  it("cognito.logout: signs users out with client_id and logout_uri, and asks nobody", async () => {
    await using lab = await open({ signIn: undefined });
    const { visit, isSignedIn } = await signInAt(lab, urls.authorize, scope);
    assertEquals(await isSignedIn(), true);
    const back = "https://app.example/";
    const out = new URLSearchParams({ client_id: "web", logout_uri: back });
    const response = await visit(`${origin}/logout?${out}`);
    assertEquals([response.status, response.headers.get("Location")], [303, back]);
    assertEquals(await isSignedIn(), false);
  });

  it.inLab("cognito.logout: goes to no URI that the client has not", async (lab) => {
    const out = new URLSearchParams({ client_id: "web", logout_uri: "https://evil.example/" });
    const response = await lab.fetch(`${origin}/logout?${out}`, { redirect: "manual" });
    assertEquals(response.headers.get("Location"), null);
    assert(!(await response.text()).includes('href="https://evil.example/"'));
  });
});

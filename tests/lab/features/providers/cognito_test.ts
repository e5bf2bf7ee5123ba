import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import { hallpass, type HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  clientAt,
  openProvider,
  type PlayedLab,
  signInByHand,
  webClient,
} from "../../../support/provider_login.ts";

const it = itWith({ inLab: () => open(), inLabWithGroups: () => open({ users }) });

const origin = "https://hallpass.test";
const scope = "openid profile email";
const open = (options: HallpassOptions = {}) => openProvider("cognito", options);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

/** The user of a login, with a group. */
const users = [{
  name: "alice",
  claims: { name: "Alice", email: "a@b.example", email_verified: true, "cognito:groups": ["ops"] },
}];

const keysOf = (lab: PlayedLab) => lab.json(`${lab.issuer}/.well-known/jwks.json`);

describe("A lab that plays Amazon Cognito", () => {
  it.inLab("cognito.issuer cognito.domain: has the pool in its issuer, and no endpoint below it", async (lab) => {
    assertEquals(lab.issuer, `${origin}/us-east-1_Hallpass1`);
    const { tokens } = await lab.logIn({ scope });
    assertEquals(decodeJwt(tokens.id_token).iss, lab.issuer);
  });

  it.inLab("cognito.page: X3: signs in at the page /login as well", async (lab) => {
    const { tokens } = await clientAt(lab, ["/login", "/oauth2/token"]).logIn({ scope });
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
    const { tokens } = await clientAt(tenant, [
      "/t/cognito/oauth2/authorize",
      "/t/cognito/oauth2/token",
    ]).logIn({ scope });
    assertEquals(decodeJwt(tokens.access_token).iss, tenant.issuer);
  });

  it("cognito.domain: has its endpoints at a second host, with the issuer at the first", async () => {
    const domain = "https://shop.auth.eu-west-1.amazoncognito.com";
    const pool = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1";
    await using lab = await open({ issuer: pool, frontChannelUrl: domain, backChannelUrl: domain });
    const metadata = await lab.json(`${pool}/.well-known/openid-configuration`);
    assertEquals(metadata.authorization_endpoint, `${domain}/oauth2/authorize`);
    assertEquals(metadata.jwks_uri, `${pool}/.well-known/jwks.json`);
    const app = clientAt(lab, [metadata.authorization_endpoint, metadata.token_endpoint]);
    const { tokens } = await app.logIn({ scope });
    assertEquals(decodeJwt(tokens.access_token).iss, pool);
    const user = await lab.json(metadata.userinfo_endpoint, tokens.access_token);
    assertEquals(user.username, "alice");
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
    const { tokens } = await lab.logIn({ scope });
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
    const { tokens } = await lab.logIn({ scope });
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
    const { tokens } = await lab.logIn({ scope });
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
    const { tokens } = await lab.logIn({ scope });
    assertEquals(decodeJwt(tokens.id_token).email_verified, true);
    const user = await lab.json("/oauth2/userInfo", tokens.access_token);
    const { email_verified, username, sub } = user;
    assertEquals([email_verified, username], ["true", "alice"]);
    assertEquals(sub, decodeJwt(tokens.id_token).sub);
  });

  it("cognito.scopes cognito.ignored: leaves out the scopes that a client lacks", async () => {
    const scopes = { openid: "Sign in", "orders/read": "Read orders", "orders/write": "Write" };
    const web = { ...webClient, scopes: ["openid", "orders/read"] };
    await using lab = await open({ scopes, clients: [web] });
    const { tokens } = await lab.logIn({ scope: "openid orders/read orders/write nothing" });
    assertEquals(decodeJwt(tokens.access_token).scope, "openid orders/read");
    const refused = await lab.callback({ scope: "orders/write" });
    assertEquals(refused.error, "invalid_scope");
  });

  it("cognito.ignored: leaves them out for a client without a user as well", async () => {
    const scopes = { "orders/read": "Read orders", "orders/write": "Write orders" };
    const job = { ...webClient, grantTypes: ["client_credentials"], scopes: ["orders/read"] };
    await using lab = await open({ scopes, clients: [job as typeof webClient] });
    const scope = "orders/read orders/write";
    const { body } = await lab.token({ grant_type: "client_credentials", scope });
    const claims = decodeJwt(body.access_token);
    const expected = ["orders/read", undefined, "web"];
    assertEquals([claims.scope, claims.username, claims.client_id], expected);
  });

  it.inLab("cognito.refresh cognito.response: returns a refresh token once, and the same origin", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    assertEquals(Object.keys(tokens).sort(), [
      ...["access_token", "expires_in", "id_token", "refresh_token", "token_type"],
    ]);
    lab.clock.advance("10m");
    const { body: refreshed } = await lab.refresh(tokens.refresh_token);
    assertEquals(refreshed.refresh_token, undefined);
    const [before, after] = [tokens, refreshed].map((each) => decodeJwt(each.access_token));
    assertEquals(after?.origin_jti, before?.origin_jti);
    assertEquals(after?.auth_time, before?.auth_time);
    assertNotEquals(after?.jti, before?.jti);
    assertEquals((await lab.refresh(tokens.refresh_token)).status, 200);
  });

  it("cognito.lifetime: is what a test chooses, for an hour otherwise", async () => {
    await using lab = await open({ lifetimes: { accessToken: "5m" } });
    assertEquals((await lab.logIn({ scope })).tokens.expires_in, 300);
  });

  it("cognito.logout: signs users out with client_id and logout_uri, and asks nobody", async () => {
    await using lab = await open({ signIn: undefined });
    const { visit, isSignedIn } = await signInByHand(lab, scope);
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

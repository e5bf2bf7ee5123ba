import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import type { HallpassOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { loggedIn, openProvider, signInByHand } from "../../../support/provider_login.ts";
import { assertClean, assertLeniency } from "../../../support/reported.ts";

const it = itWith({
  inLab: () => open(),
  afterLogin: () => loggedIn(open(), { scope }),
});

const scope = "openid profile email";
const audience = "https://api.example.com";
const base = "https://hallpass.test";
const open = (options: HallpassOptions = {}) => openProvider("auth0", options);

describe("A lab that plays Auth0", () => {
  it.inLab("auth0.issuer: ends with a slash, and may be on the host of a tenant", async (lab) => {
    assertEquals(lab.issuer, `${base}/`);
    await using own = await open({ issuer: "https://shop.eu.auth0.com/" });
    assertEquals(own.issuer, "https://shop.eu.auth0.com/");
  });

  it.afterLogin("auth0.paths: revokes a token below /oauth", async ({ lab, tokens }) => {
    const revoked = await lab.form("/oauth/revoke", { token: tokens.access_token });
    assertEquals(revoked.status, 200);
    assertEquals((await lab.get("/userinfo", tokens.access_token)).status, 401);
    assertEquals((await lab.form("/oauth/device/code")).status, 400);
  });

  it("auth0.audience: issues an opaque token for userinfo unless an API is named", async () => {
    await using lab = await open();
    const { tokens } = await lab.logIn({ scope });
    assert(!tokens.access_token.includes("."));
    const user = await lab.json("/userinfo", tokens.access_token);
    assertEquals(user.sub, decodeJwt(tokens.id_token).sub);
    const { tokens: other } = await lab.logIn({ scope, audience });
    assertEquals(decodeJwt(other.access_token).aud, [audience, `${base}/userinfo`]);
    await using changed = await open({ clientDefaults: { accessTokenFormat: "jwt" } });
    assert((await changed.logIn({ scope })).tokens.access_token.includes("."));
  });

  it("auth0.access_token auth0.typ: has a JWT in the default profile that verifies", async () => {
    await using lab = await open();
    const { tokens } = await lab.logIn({ scope, audience });
    const { payload, protectedHeader } = await lab.verify(
      tokens.access_token,
      "/.well-known/jwks.json",
      audience,
    );
    assertEquals(Object.keys(payload).sort(), ["aud", "azp", "exp", "iat", "iss", "scope", "sub"]);
    assertEquals([payload.azp, payload.scope, protectedHeader.typ], ["web", scope, "JWT"]);
    const user = await lab.json("/userinfo", tokens.access_token);
    assertEquals(user.sub, payload.sub);
    const { tokens: plain } = await lab.logIn({ scope: "email", audience });
    assertEquals(decodeJwt(plain.access_token).aud, audience);
  });

  it("auth0.query: Z6: takes an access token in the query of userinfo, also one for an API", async () => {
    for (const asked of [{ scope }, { scope, audience }]) {
      await using lab = await open();
      const { tokens } = await lab.logIn(asked);
      const query = new URLSearchParams({ access_token: tokens.access_token });
      assertEquals((await lab.json(`/userinfo?${query}`)).email, "alice@example.com");
      assertClean(lab, { refused: true });
    }
  });

  it.afterLogin("auth0.subject: has subjects that begin with auth0|", async ({ tokens }) => {
    assertMatch(decodeJwt(tokens.id_token).sub ?? "", /^auth0\|[0-9a-f]{24}$/);
  });

  it.afterLogin("auth0.id_token: has the claims of the scopes", async ({ lab, tokens }) => {
    const { name, email, iss, aud } = decodeJwt(tokens.id_token);
    const expected = ["Alice Adler", "alice@example.com", lab.issuer, "web"];
    assertEquals([name, email, iss, aud], expected);
    const { tokens: less } = await lab.logIn({ scope: "openid" });
    assertEquals(decodeJwt(less.id_token).name, undefined);
    const { keys } = await lab.json("/.well-known/jwks.json");
    assertEquals(keys.map(({ alg }: { alg: string }) => alg), ["RS256"]);
  });

  it.inLab("auth0.lifetime: is a day, or as chosen", async (lab) => {
    assertEquals((await lab.logIn({ scope })).tokens.expires_in, 86400);
    await using other = await open({ lifetimes: { accessToken: "2h" } });
    assertEquals((await other.logIn({ scope })).tokens.expires_in, 7200);
  });

  it.inLab("auth0.offline_access auth0.rotation: keeps a refresh token that offline_access brought", async (lab) => {
    assertEquals((await lab.logIn({ scope })).tokens.refresh_token, undefined);
    const asked = { scope: `${scope} offline_access`, audience };
    const { tokens } = await lab.logIn(asked);
    for (const _ of [1, 2]) {
      const { body } = await lab.refresh(tokens.refresh_token);
      assertEquals(decodeJwt(body.access_token).azp, "web");
    }
    await using rotating = await open({ refreshTokens: "rotate" });
    const { tokens: first } = await rotating.logIn(asked);
    const { body } = await rotating.refresh(first.refresh_token);
    const isSame = body.refresh_token === first.refresh_token;
    assertEquals([typeof body.refresh_token, isSame], ["string", false]);
  });

  it.afterLogin("auth0.logout: signs out at /oidc/logout", async ({ lab, tokens }) => {
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: "https://app.example/",
    });
    const response = await lab.fetch(`${base}/oidc/logout?${query}`, { redirect: "manual" });
    assert([200, 302, 303].includes(response.status), String(response.status));
  });

  it("auth0.older_logout: signs out at /v2/logout, and returns to a URI of the client alone", async () => {
    await using lab = await open({ signIn: undefined });
    const { visit, signIn, isSignedIn } = await signInByHand(lab, scope);
    const logout = (returnTo: string) =>
      visit(`${base}/v2/logout?${new URLSearchParams({ client_id: "web", returnTo })}`);
    const elsewhere = await logout("https://evil.example/");
    assertMatch(elsewhere.headers.get("Location") ?? "", /^\/oidc\/logout\//);
    await signIn();
    assertEquals(await isSignedIn(), true);
    const response = await logout("https://app.example/");
    assertEquals(response.headers.get("Location"), "https://app.example/");
    assertEquals(await isSignedIn(), false);
    assertLeniency(lab, "logoutConfirmation: skip");
  });
});

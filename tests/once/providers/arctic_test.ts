import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import * as arctic from "arctic";
import { describe, it } from "node:test";
import {
  downloadedKey,
  fieldsOf,
  keyId,
  openApple,
  servicesId,
  teamId,
} from "../../support/apple_login.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

const secret = webClient.secret ?? "";

describe("Arctic, with the hosts that it has in its code", () => {
  it("signs in at GitHub, whose responses are forms and whose errors have the status 200", async () => {
    await using lab = await openProvider("github");
    using _ = lab.intercept({ hosts: true });
    const github = new arctic.GitHub("web", secret, callback);
    const code = await codeAt(lab, github.createAuthorizationURL("a-state", ["user:email"]));
    const tokens = await github.validateAuthorizationCode(code);
    assertMatch(tokens.accessToken(), /^gho_/);
    const user = await fetch("https://api.github.com/user", {
      headers: { Authorization: `Bearer ${tokens.accessToken()}` },
    });
    assertEquals((await user.json()).login, "alice");
    const error = await assertRejects(
      () => github.validateAuthorizationCode(code),
      arctic.OAuth2RequestError,
    ) as arctic.OAuth2RequestError;
    assertEquals(error.code, "bad_verification_code");
  });

  it("signs in at Google, and gets a refresh token only offline", async () => {
    await using lab = await openProvider("google");
    using _ = lab.intercept({ hosts: true });
    const google = new arctic.Google("web", secret, callback);
    const verifier = arctic.generateCodeVerifier();
    const url = google.createAuthorizationURL("a-state", verifier, ["openid", "profile"]);
    const tokens = await google.validateAuthorizationCode(await codeAt(lab, url), verifier);
    assertEquals(tokens.hasRefreshToken(), false);
    const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
    assertMatch(String(claims.sub), /^\d{21}$/);
    url.searchParams.set("access_type", "offline");
    const offline = await google.validateAuthorizationCode(await codeAt(lab, url), verifier);
    const refreshed = await google.refreshAccessToken(offline.refreshToken());
    assertEquals([refreshed.hasRefreshToken(), refreshed.tokenType()], [false, "Bearer"]);
    await google.revokeToken(refreshed.accessToken());
  });

  it("signs in at Auth0, whose access token is opaque", async () => {
    await using lab = await openProvider("auth0", { issuer: "https://shop.eu.auth0.com" });
    using _ = lab.intercept();
    const auth0 = new arctic.Auth0("shop.eu.auth0.com", "web", secret, callback);
    const url = auth0.createAuthorizationURL("a-state", null, ["openid", "profile"]);
    const tokens = await auth0.validateAuthorizationCode(await codeAt(lab, url), null);
    const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
    assertMatch(String(claims.sub), /^auth0\|/);
    const user = await fetch("https://shop.eu.auth0.com/userinfo", {
      headers: { Authorization: `Bearer ${tokens.accessToken()}` },
    });
    assertEquals((await user.json()).sub, claims.sub);
  });

  it("signs in at Entra, at common and at a tenant", async () => {
    await using lab = await openProvider("entra");
    using _ = lab.intercept({ hosts: true });
    for (const tenant of ["common", "aaaabbbb-0000-cccc-1111-dddd2222eeee"]) {
      const entra = new arctic.MicrosoftEntraId(tenant, "web", secret, callback);
      const verifier = arctic.generateCodeVerifier();
      const scopes = ["openid", "profile", "offline_access"];
      const url = entra.createAuthorizationURL("a-state", verifier, scopes);
      const tokens = await entra.validateAuthorizationCode(await codeAt(lab, url), verifier);
      const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
      assertEquals([claims.ver, claims.iss], ["2.0", lab.issuer]);
      const refreshed = await entra.refreshAccessToken(tokens.refreshToken(), scopes);
      assert(refreshed.hasRefreshToken());
    }
  });

  it("signs in at GitLab, and refreshes and revokes", async () => {
    await using lab = await openProvider("gitlab");
    using _ = lab.intercept({ hosts: true });
    const gitlab = new arctic.GitLab("https://gitlab.com", "web", secret, callback);
    const url = gitlab.createAuthorizationURL("a-state", ["openid", "read_user"]);
    const tokens = await gitlab.validateAuthorizationCode(await codeAt(lab, url));
    const user = await fetch("https://gitlab.com/api/v4/user", {
      headers: { Authorization: `Bearer ${tokens.accessToken()}` },
    });
    const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
    assertEquals(String((await user.json()).id), claims.sub);
    const refreshed = await gitlab.refreshAccessToken(tokens.refreshToken());
    assertEquals(refreshed.tokenType(), "bearer");
    assertEquals(refreshed.accessTokenExpiresInSeconds(), 7200);
    await gitlab.revokeToken(refreshed.accessToken());
  });

  it("signs in at Discord, and reads the error of a wrong code", async () => {
    await using lab = await openProvider("discord");
    using _ = lab.intercept({ hosts: true });
    const discord = new arctic.Discord("web", secret, callback);
    const verifier = arctic.generateCodeVerifier();
    const url = discord.createAuthorizationURL("a-state", verifier, ["identify", "email"]);
    const code = await codeAt(lab, url);
    const tokens = await discord.validateAuthorizationCode(code, verifier);
    const user = await fetch("https://discord.com/api/users/@me", {
      headers: { Authorization: `Bearer ${tokens.accessToken()}` },
    });
    assertEquals((await user.json()).email, "alice@example.com");
    const refreshed = await discord.refreshAccessToken(tokens.refreshToken());
    await discord.revokeToken(refreshed.accessToken());
    const error = await assertRejects(
      () => discord.validateAuthorizationCode(code, verifier),
      arctic.OAuth2RequestError,
    ) as arctic.OAuth2RequestError;
    assertEquals([error.code, error.description], ["invalid_grant", 'Invalid "code" in request.']);
  });

  it("signs in at LinkedIn, whose userinfo is at another host", async () => {
    await using lab = await openProvider("linkedin");
    using _ = lab.intercept({ hosts: true });
    const linkedin = new arctic.LinkedIn("web", secret, callback);
    const url = linkedin.createAuthorizationURL("a-state", ["openid", "profile", "email"]);
    const tokens = await linkedin.validateAuthorizationCode(await codeAt(lab, url));
    assertEquals(tokens.hasRefreshToken(), false);
    assertEquals(tokens.accessTokenExpiresInSeconds(), 5184000);
    const user = await fetch("https://api.linkedin.com/v2/userinfo", {
      headers: { Authorization: `Bearer ${tokens.accessToken()}` },
    });
    const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
    assertEquals(await user.json().then(({ sub, email }) => [sub, email]), [
      ...[claims.sub, "alice@example.com"],
    ]);
  });

  it("signs in at Slack, whose errors have the status of a success", async () => {
    await using lab = await openProvider("slack");
    using _ = lab.intercept({ hosts: true });
    const slack = new arctic.Slack("web", secret, callback);
    const url = slack.createAuthorizationURL("a-state", ["openid", "profile"]);
    const code = await codeAt(lab, url);
    const tokens = await slack.validateAuthorizationCode(code);
    const user = await fetch("https://slack.com/api/openid.connect.userInfo", {
      headers: { Authorization: `Bearer ${tokens.accessToken()}` },
    });
    const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
    assertEquals(await user.json().then(({ ok, sub }) => [ok, sub]), [true, claims.sub]);
    // The library takes the error for a token response, so its caller meets it one step later.
    const refused = await slack.validateAuthorizationCode(code);
    assertEquals(refused.data, { ok: false, error: "invalid_code" });
    assertThrows(() => refused.accessToken(), Error, "access_token");
  });

  it("signs in at Apple, with a secret that it signs and a form that it gets", async () => {
    await using lab = await openApple({ hosts: true });
    using _ = lab.intercept();
    const key = Uint8Array.from(
      atob(downloadedKey.replace(/-----.*-----|\s/g, "")),
      (c) => c.charCodeAt(0),
    );
    const apple = new arctic.Apple(servicesId, teamId, keyId, key, callback);
    const url = apple.createAuthorizationURL("a-state", ["name", "email"]);
    assertEquals((await fetch(url)).status, 400);
    url.searchParams.set("response_mode", "form_post");
    const { code = "", user = "" } = await fieldsOf(await fetch(url));
    assertEquals(JSON.parse(user).name, { firstName: "Alice", lastName: "Adler" });
    const tokens = await apple.validateAuthorizationCode(code);
    const claims = arctic.decodeIdToken(tokens.idToken()) as Record<string, unknown>;
    assertEquals([claims.iss, claims.aud], ["https://appleid.apple.com", servicesId]);
    assertEquals((await fieldsOf(await fetch(url))).user, undefined);
  });
});

const okta = "https://dev-1.okta.com/oauth2/default";
const realm = "https://sso.example.com/realms/shop";
const domain = "https://shop.auth.eu-west-1.amazoncognito.com";
const pool = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1";
const ofCustomers = {
  okta: {
    lab: { issuer: okta },
    client: new arctic.Okta("dev-1.okta.com", "default", "web", secret, callback),
    scopes: ["openid", "offline_access"],
  },
  keycloak: {
    lab: { issuer: realm },
    client: new arctic.KeyCloak(realm, "web", secret, callback),
    scopes: ["openid"],
  },
  cognito: {
    lab: { issuer: pool, frontChannelUrl: domain, backChannelUrl: domain },
    client: new arctic.AmazonCognito(new URL(domain).host, "web", secret, callback),
    scopes: ["openid"],
  },
} as const;

describe("Arctic, with the issuer of a customer", () => {
  for (const [name, { lab: settings, client, scopes }] of Object.entries(ofCustomers)) {
    it(`X3: uses every step of ${name} cleanly`, async () => {
      await using lab = await openProvider(name as keyof typeof ofCustomers, settings);
      using _ = lab.intercept();
      const verifier = arctic.generateCodeVerifier();
      const url = client.createAuthorizationURL("state-of-a-user", verifier, [...scopes]);
      const tokens = await client.validateAuthorizationCode(await codeAt(lab, url), verifier);
      const refreshed = await client.refreshAccessToken(tokens.refreshToken(), [...scopes]);
      await client.revokeToken(
        name === "cognito" ? tokens.refreshToken() : refreshed.accessToken(),
      );
      lab.assertClean({ refused: true });
    });
  }
});

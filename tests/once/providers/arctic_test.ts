import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import * as arctic from "arctic";
import { describe, it } from "node:test";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { callback, callbackOf, openProvider, webClient } from "../../support/provider_login.ts";

const secret = webClient.secret ?? "";

/** Follows a URL of the library to the lab, and returns its code. */
async function codeAt(lab: TestLab, url: URL): Promise<string> {
  return callbackOf(await lab.fetch(url, { redirect: "manual" })).code ?? "";
}

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
});

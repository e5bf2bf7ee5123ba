import { WebClient } from "@slack/web-api";
import { assert, assertEquals } from "@std/assert";
import * as arctic from "arctic";
import { describe, it } from "node:test";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

const { id, secret = "" } = webClient;

/** Reads a URL with an access token. */
async function read(url: string, token: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  assertEquals(response.status, 200, url);
  return await response.json();
}

describe("Clients of other providers, with the hosts that they have in their code", () => {
  it("Z1: @slack/web-api gets tokens and reads userinfo cleanly", async () => {
    await using lab = await openProvider("slack", { hosts: true });
    using _ = lab.intercept({ http: true });
    const query = new URLSearchParams({
      ...{ client_id: id, redirect_uri: callback, response_type: "code", state: "a-long-state" },
      ...{ scope: "openid profile email", nonce: "a-nonce" },
    });
    const code = await codeAt(lab, `https://slack.com/openid/connect/authorize?${query}`);
    const tokens = await new WebClient().openid.connect.token({
      ...{ client_id: id, client_secret: secret, redirect_uri: callback, code },
    });
    const user = await new WebClient(tokens.access_token).openid.connect.userInfo();
    assertEquals([user.ok, user.email], [true, "alice@example.com"]);
    lab.assertClean();
  });

  it("Z1: arctic uses every step of GitLab cleanly", async () => {
    await using lab = await openProvider("gitlab", { hosts: true });
    using _ = lab.intercept();
    const gitlab = new arctic.GitLab("https://gitlab.com", id, secret, callback);
    const url = gitlab.createAuthorizationURL("state-of-a-user", ["openid", "email", "read_user"]);
    const tokens = await gitlab.validateAuthorizationCode(await codeAt(lab, url));
    const token = tokens.accessToken();
    const user = await read("https://gitlab.com/oauth/userinfo", token);
    assertEquals(user.email, "alice@example.com");
    await read("https://gitlab.com/api/v4/user", token);
    const refreshed = await gitlab.refreshAccessToken(tokens.refreshToken());
    await gitlab.revokeToken(refreshed.accessToken());
    lab.assertClean();
  });

  it("Z1: arctic uses every step of Discord cleanly", async () => {
    await using lab = await openProvider("discord", { hosts: true });
    using _ = lab.intercept();
    const discord = new arctic.Discord(id, secret, callback);
    const verifier = arctic.generateCodeVerifier();
    const scopes = ["identify", "email"];
    const url = discord.createAuthorizationURL("state-of-a-user", verifier, scopes);
    const tokens = await discord.validateAuthorizationCode(await codeAt(lab, url), verifier);
    const user = await read("https://discord.com/api/v10/users/@me", tokens.accessToken());
    assertEquals(user.email, "alice@example.com");
    const refreshed = await discord.refreshAccessToken(tokens.refreshToken());
    await discord.revokeToken(refreshed.accessToken());
    lab.assertClean();
  });

  it("Z1: arctic signs in with LinkedIn, and reads userinfo cleanly", async () => {
    await using lab = await openProvider("linkedin", { hosts: true });
    using _ = lab.intercept();
    const linkedin = new arctic.LinkedIn(id, secret, callback);
    const scopes = ["openid", "profile", "email"];
    const url = linkedin.createAuthorizationURL("state-of-a-user", scopes);
    const tokens = await linkedin.validateAuthorizationCode(await codeAt(lab, url));
    const user = await read("https://api.linkedin.com/v2/userinfo", tokens.accessToken());
    assertEquals(user.email, "alice@example.com");
    assert(tokens.idToken());
    lab.assertClean();
  });
});

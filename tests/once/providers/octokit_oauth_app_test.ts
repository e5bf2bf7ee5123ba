import { OAuthApp } from "@octokit/oauth-app";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

const clientSecret = webClient.secret ?? "";
const app = () => new OAuthApp({ clientType: "oauth-app", clientId: webClient.id, clientSecret });

describe("@octokit/oauth-app, with the hosts that it has in its code", () => {
  it("signs in, and calls the API with the token", async () => {
    await using lab = await openProvider("github");
    using _ = lab.intercept({ hosts: true });
    const octokitApp = app();
    const scopes = ["read:user", "user:email"];
    const { url } = octokitApp.getWebFlowAuthorizationUrl({ redirectUrl: callback, scopes });
    const code = await codeAt(lab, url);
    const { authentication } = await octokitApp.createToken({ code });
    assertMatch(authentication.token, /^gho_/);
    // GitHub separates scopes by commas, and the library by spaces.
    assertEquals(authentication.scopes, [scopes.join(",")]);
    const octokit = await octokitApp.getUserOctokit(authentication);
    const { data } = await octokit.request("GET /user");
    assertEquals([data.login, data.name], ["alice", "Alice Adler"]);
    const { data: emails } = await octokit.request("GET /user/emails");
    assertEquals(emails[0]?.email, "alice@example.com");
  });

  it("throws for a wrong code, although GitHub's error has the status 200", async () => {
    await using lab = await openProvider("github");
    using _ = lab.intercept({ hosts: true });
    const error = await assertRejects(() => app().createToken({ code: "0123456789abcdef0123" }));
    assertMatch(String(error), /The code passed is incorrect or expired/);
  });
});

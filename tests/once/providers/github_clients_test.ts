import { createOAuthDeviceAuth } from "@octokit/auth-oauth-device";
import { createOAuthUserAuth } from "@octokit/auth-oauth-user";
import { OAuthApp } from "@octokit/oauth-app";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { deviceCodeGrantType } from "../../../src/server/protocol/grant_types.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

const clientId = webClient.id;
const clientSecret = webClient.secret ?? "";
const web = { clientType: "oauth-app", clientId, clientSecret } as const;
const authorizeUrl = `https://github.com/login/oauth/authorize?client_id=${clientId}` +
  `&redirect_uri=${callback}&scope=read:user&state=state-of-a-user`;

describe("Clients of GitHub, with the hosts that they have in their code", () => {
  it("Z1 Z7: @octokit/oauth-app signs in, reads the user, checks and deletes the token cleanly", async () => {
    await using lab = await openProvider("github");
    using _ = lab.intercept({ hosts: true });
    const app = new OAuthApp(web);
    const { authentication } = await app.createToken({ code: await codeAt(lab, authorizeUrl) });
    const { token } = authentication;
    const octokit = await app.getUserOctokit({ token, scopes: [] });
    const { data, headers } = await octokit.request("GET /user");
    assertEquals([data.login, headers["x-oauth-scopes"]], ["alice", "read:user"]);
    const checked = await app.checkToken({ token });
    assertEquals(checked.data.user?.login, "alice");
    assertEquals((await app.deleteToken({ token })).status, 204);
    lab.assertClean();
  });

  it("Z1 Z7: @octokit/auth-oauth-user checks its token, and deletes the authorization cleanly", async () => {
    await using lab = await openProvider("github");
    using _ = lab.intercept({ hosts: true });
    const auth = createOAuthUserAuth({ ...web, code: await codeAt(lab, authorizeUrl) });
    assertMatch((await auth()).token, /^gho_/);
    const checked = await auth({ type: "check" });
    assertEquals("scopes" in checked && checked.scopes, ["read:user"]);
    await auth({ type: "deleteAuthorization" });
    await assertRejects(() => auth(), Error, "Token is invalid");
    lab.assertClean();
  });

  it("Z1: @octokit/auth-oauth-device signs in with a device cleanly", async () => {
    const clients = [{ id: "cli", grantTypes: [deviceCodeGrantType] }];
    await using lab = await openProvider("github", { clients });
    using _ = lab.intercept({ hosts: true });
    const auth = createOAuthDeviceAuth({
      ...{ clientType: "oauth-app", clientId: "cli", scopes: ["read:user"] },
      async onVerification({ verification_uri, user_code }) {
        await lab.fetch(`${verification_uri}?user_code=${user_code}`);
      },
    });
    assertMatch((await auth({ type: "oauth" })).token, /^gho_/);
    lab.assertClean();
  });
});

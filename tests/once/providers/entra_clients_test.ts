import { DeviceCodeCredential } from "@azure/identity";
import { ConfidentialClientApplication } from "@azure/msal-node";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { Strategy } from "passport-microsoft";
import type { HallpassOptions } from "../../../src/lab/testing/mod.ts";
import { deviceCodeGrantType } from "../../../src/server/protocol/grant_types.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";
import { keepAll, type PassportTokens, runStrategy } from "./passport.ts";

const tenantId = "aaaabbbb-0000-cccc-1111-dddd2222eeee";
const open = (options: HallpassOptions = {}) => openProvider("entra", { hosts: true, ...options });

describe("Clients of Entra, with the hosts that they have in their code", () => {
  it("Z1: @azure/msal-node signs in, reads userinfo, refreshes and signs out cleanly", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const application = new ConfidentialClientApplication({
      auth: { clientId: webClient.id, clientSecret: webClient.secret ?? "" },
    });
    const request = { scopes: ["User.Read", "email"], redirectUri: callback };
    const url = await application.getAuthCodeUrl({ ...request, state: "state-of-a-user" });
    const code = await codeAt(lab, url);
    const { account, accessToken } = await application.acquireTokenByCode({ ...request, code });
    assert(account);
    for (const path of ["/oidc/userinfo", "/v1.0/me"]) {
      const headers = { Authorization: `Bearer ${accessToken}` };
      assertEquals(
        (await lab.fetch(`https://graph.microsoft.com${path}`, { headers })).status,
        200,
      );
    }
    await application.acquireTokenSilent({ account, scopes: ["User.Read"], forceRefresh: true });
    const query = new URLSearchParams({ post_logout_redirect_uri: "https://app.example/" });
    const base = "https://login.microsoftonline.com/common/oauth2/v2.0";
    assertEquals((await lab.fetch(`${base}/logout?${query}`)).status, 200);
    lab.assertClean();
  });

  it("Z1 Z5: @azure/identity signs in with a device cleanly, and shows the message", async () => {
    const clients = [{ id: "device", grantTypes: [deviceCodeGrantType, "refresh_token"] }];
    await using lab = await open({ clients });
    using _ = lab.intercept({ http: true });
    const shown: string[] = [];
    const credential = new DeviceCodeCredential({
      ...{ tenantId, clientId: "device" },
      async userPromptCallback({ message, userCode, verificationUri }) {
        shown.push(message);
        await lab.fetch(`${verificationUri}?user_code=${userCode}`);
      },
    });
    const { token } = await credential.getToken("https://graph.microsoft.com/User.Read");
    assertMatch(shown[0] ?? "", /and enter the code [A-Z0-9-]+ to authenticate/);
    const me = await lab.fetch("https://graph.microsoft.com/v1.0/me", {
      headers: { Authorization: `Bearer ${token}` },
    });
    assertEquals((await me.json()).displayName, "Alice Adler");
    lab.assertClean();
  });

  it("Z1 Z5: passport-microsoft signs in cleanly, with the scope user.read", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const { id: clientID, secret: clientSecret } = webClient;
    const settings = { clientID, clientSecret, callbackURL: callback, scope: ["user.read"] };
    const strategy = new Strategy(settings, keepAll);
    const options = { state: "state-of-a-user" };
    const { redirect = "" } = await runStrategy(strategy, { query: {} }, options);
    const query = { code: await codeAt(lab, redirect) };
    const { user, error } = await runStrategy(strategy, { query }, options);
    assertEquals(error, undefined);
    const { profile } = user as PassportTokens;
    assertEquals(profile.emails, [{ type: "work", value: "alice@example.com" }]);
    lab.assertClean();
  });
});

// The same tests with each fixture: only the fixture changes.
import makeFetchCookie from "fetch-cookie";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { allowInsecureRequests, discovery } from "openid-client";
import { Strategy } from "openid-client/passport";
import { Passport } from "passport";
import { beginLogin, redirectUri } from "../app.ts";
import { createApi, withToken } from "../apps/api.ts";
import { openSite } from "../apps/open_site.ts";
import { createApp } from "../apps/passport.ts";
import * as mswAfter from "./msw_handlers.after.ts";
import * as mswBefore from "./msw_handlers.before.ts";
import * as mockAfter from "./oauth2_mock_server.after.ts";
import * as mockBefore from "./oauth2_mock_server.before.ts";
import * as mockDropIn from "./oauth2_mock_server.drop_in.ts";
import * as oidcAfter from "./oidc_provider.after.ts";
import * as oidcBefore from "./oidc_provider.before.ts";

const audience = "https://api.example";

describe("An API that verifies tokens, with oauth2-mock-server before, a lab after", () => {
  for (const { openProvider } of [mockBefore, mockDropIn, mockAfter]) {
    it("knows the user and the roles, and rejects a token for another API", async () => {
      const provider = await openProvider(audience);
      const api = createApi(provider.issuer, audience, provider.jwksUri);
      const token = await provider.mint("johndoe", { roles: ["admin"] });
      const response = await api(withToken(token));
      assert.deepEqual(await response.json(), { hello: "johndoe", roles: ["admin"] });
      const other = await provider.mint("johndoe", { aud: "https://other.example" });
      assert.equal((await api(withToken(other))).status, 401);
      await provider.close();
    });
  }
});

describe("An application with Passport, with oidc-provider before, a lab after", () => {
  for (const { openProvider } of [oidcBefore, oidcAfter]) {
    it("signs Alice in", async () => {
      await using site = await openSite();
      const callbackURL = `${site.url}/callback`;
      const provider = await openProvider(callbackURL);
      const config = await discovery(new URL(provider.issuer), "web", "web-secret", undefined, {
        execute: [allowInsecureRequests],
      });
      const strategy = new Strategy(
        { config, callbackURL, scope: "openid profile" },
        (tokens, verified) => verified(null, tokens.claims()),
      );
      site.server.on("request", createApp(new Passport().use("oidc", strategy)));
      const profile = await makeFetchCookie(fetch)(`${site.url}/login`);
      assert.equal((await profile.json()).name, "Alice Adler");
      await provider.close();
    });
  }
});

describe("An application with openid-client, with handlers of MSW before, a lab after", () => {
  for (const { openProvider } of [mswBefore, mswAfter]) {
    it("signs Alice in", async () => {
      const provider = await openProvider(redirectUri);
      const login = await beginLogin(provider.issuer);
      const { sub, profile } = await login.finish(await provider.authorize(login.url));
      assert.deepEqual([sub, (await profile()).name], ["alice", "Alice Adler"]);
      await provider.close();
    });
  }
});

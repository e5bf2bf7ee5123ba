import { AuthClient } from "@auth0/auth0-auth-js";
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import Auth0Strategy from "passport-auth0";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";
import { keepAll, type PassportTokens, runStrategy } from "./passport.ts";

const domain = "shop.eu.auth0.com";
const scope = "openid profile email offline_access";
const open = () => openProvider("auth0", { issuer: `https://${domain}/` });

describe("Clients of Auth0, with nothing but the domain of a customer", () => {
  for (const audience of [undefined, "https://api.example.com"]) {
    it(`Z1: @auth0/auth0-auth-js uses every step cleanly, with ${audience ?? "no audience"}`, async () => {
      await using lab = await open();
      using _ = lab.intercept();
      const client = new AuthClient({
        ...{ domain, clientId: webClient.id, clientSecret: webClient.secret ?? "" },
        authorizationParams: { redirect_uri: callback, scope, ...audience && { audience } },
      });
      const { authorizationUrl, codeVerifier } = await client.buildAuthorizationUrl();
      const code = await codeAt(lab, authorizationUrl);
      const tokens = await client.getTokenByCode(new URL(`${callback}?code=${code}`), {
        codeVerifier,
      });
      const user = await client.getUserInfo({ accessToken: tokens.accessToken });
      assertEquals([user.email, user.sub], ["alice@example.com", tokens.claims?.sub]);
      const refreshToken = tokens.refreshToken ?? "";
      const refreshed = await client.getTokenByRefreshToken({ refreshToken });
      assertEquals(refreshed.claims?.sub, user.sub);
      await client.revokeToken({ token: refreshToken, tokenTypeHint: "refresh_token" });
      const [returnTo = ""] = webClient.postLogoutRedirectUris ?? [];
      const url = await client.buildLogoutUrl({ returnTo });
      const { headers } = await lab.fetch(url, { redirect: "manual" });
      assertEquals(headers.get("Location"), returnTo);
      lab.assertClean();
    });
  }

  it("Z1 Z6: passport-auth0 signs in cleanly, with its token in a query", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const { id: clientID, secret: clientSecret } = webClient;
    const settings = { domain, clientID, clientSecret, callbackURL: callback };
    const strategy = new Auth0Strategy(settings, keepAll);
    const session = {};
    const { redirect = "" } = await runStrategy(strategy, { query: {}, session }, { scope });
    const query = {
      code: await codeAt(lab, redirect),
      state: new URL(redirect).searchParams.get("state") ?? "",
    };
    const { user, error } = await runStrategy(strategy, { query, session });
    assertEquals(error, undefined);
    const { profile } = user as PassportTokens;
    assertEquals(profile.displayName, "Alice Adler");
    lab.assertClean();
  });
});

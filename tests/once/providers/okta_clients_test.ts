import OktaStrategy from "@davidzemon/passport-okta-oauth";
import { OktaAuth } from "@okta/okta-auth-js";
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  callback,
  codeAt,
  openProvider,
  publicClient,
  webClient,
} from "../../support/provider_login.ts";
import { keepAll, runStrategy } from "./passport.ts";

const audience = "https://dev-1.okta.com";
const issuer = `${audience}/oauth2/default`;
/** What the types of the library for Node leave out. */
interface SignOut {
  getSignOutRedirectUrl(options: Record<string, unknown>): string;
}

const open = () => openProvider("okta", { issuer, clients: [webClient, publicClient] });

describe("Clients of Okta, with nothing but the issuer of a customer", () => {
  it("Z1 Z4: @okta/okta-auth-js uses every step of a public client cleanly", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const okta = new OktaAuth({
      ...{ issuer, clientId: "spa", redirectUri: callback },
      scopes: ["openid", "profile", "email", "offline_access"],
    });
    const params = await okta.token.prepareTokenParams();
    const { codeChallenge: code_challenge = "", state = "", nonce = "" } = params;
    const query = new URLSearchParams({
      ...{ client_id: "spa", redirect_uri: callback, response_type: "code" },
      ...{ scope: params.scopes?.join(" ") ?? "", code_challenge, code_challenge_method: "S256" },
      ...{ state, nonce },
    });
    const authorizationCode = await codeAt(lab, `${issuer}/v1/authorize?${query}`);
    const { tokens } = await okta.token.exchangeCodeForTokens({ ...params, authorizationCode });
    const { accessToken, idToken, refreshToken } = tokens;
    const user = await okta.token.getUserInfo(accessToken, idToken);
    assertEquals(user.email, "alice@example.com");
    okta.tokenManager.setTokens(tokens);
    await okta.token.renewTokensWithRefresh({ scopes: params.scopes ?? [] }, refreshToken as never);
    const known = await okta.token.introspect("accessToken" as never, accessToken);
    assertEquals(known.active, true);
    await okta.revokeAccessToken(accessToken);
    const signOut = { idToken, postLogoutRedirectUri: "https://app.example/" };
    const url = (okta as unknown as SignOut).getSignOutRedirectUrl(signOut);
    const { headers } = await lab.fetch(url, { redirect: "manual" });
    assertEquals(headers.get("Location"), "https://app.example/");
    lab.assertClean();
  });

  it("Z1: passport-okta-oauth signs in cleanly", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const { id: clientID, secret: clientSecret } = webClient;
    const registered = { clientID, clientSecret, callbackURL: callback };
    const settings = {
      ...registered,
      audience,
      authServerID: "default",
      scope: ["openid", "email"],
    };
    const strategy = new OktaStrategy.Strategy(settings as never, keepAll);
    const options = { state: "state-of-a-user" };
    const { redirect = "" } = await runStrategy(strategy, { query: {} }, options);
    const query = { code: await codeAt(lab, redirect) };
    const { user, error } = await runStrategy(strategy, { query }, options);
    assertEquals([error, user?.profile.emails], [undefined, [{ value: "alice@example.com" }]]);
    lab.assertClean();
  });
});

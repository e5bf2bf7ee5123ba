import { assertEquals } from "@std/assert";
import cognitoPassport from "cognito-passport-oauth2";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import * as oidc from "openid-client";
import {
  callback,
  codeAt,
  openProvider,
  publicClient,
  webClient,
} from "../../support/provider_login.ts";
import { openPage } from "./page_globals.ts";
import { runStrategy } from "./passport.ts";

// The types of the library leave out what it exports.
const CognitoStrategy = cognitoPassport as unknown as new (...options: unknown[]) => object;

type Done = (error: unknown, user: unknown) => void;

/** Keeps the token response. Passport passes it only to a function of six parameters. */
function keepTokens(
  _request: unknown,
  _accessToken: string,
  _refreshToken: string,
  tokens: unknown,
  _profile: unknown,
  done: Done,
): void {
  done(null, tokens);
}

const userPoolId = "eu-west-1_Hallpass1";
const domain = "shop.auth.eu-west-1.amazoncognito.com";
const options = {
  issuer: `https://cognito-idp.eu-west-1.amazonaws.com/${userPoolId}`,
  frontChannelUrl: `https://${domain}`,
  backChannelUrl: `https://${domain}`,
};

describe("Clients of Cognito, with nothing but the pool of a customer", () => {
  it("Z1: @aws-amplify/auth signs in and out of a page cleanly", async () => {
    await using lab = await openProvider("cognito", { ...options, clients: [publicClient] });
    using _ = lab.intercept();
    using page = openPage(callback);
    const oauth = {
      ...{ domain, scopes: ["openid", "email"], responseType: "code" as const },
      ...{ redirectSignIn: [callback], redirectSignOut: ["https://app.example/"] },
    };
    const Cognito = { userPoolId, userPoolClientId: publicClient.id, loginWith: { oauth } };
    const configuration = { Auth: { Cognito } };
    // The library looks for a page when it is loaded.
    const { Amplify, Hub, fetchAuthSession } = await import("@aws-amplify/core");
    const { signInWithRedirect, signOut } = await import("@aws-amplify/auth");
    const { cognitoUserPoolsTokenProvider: tokenProvider } = await import(
      "@aws-amplify/auth/cognito"
    );
    tokenProvider.setAuthConfig(configuration.Auth);
    const openApp = () => Amplify.configure(configuration, { Auth: { tokenProvider } });
    openApp();
    await signInWithRedirect();
    const asked = await lab.fetch(page.location.href, { redirect: "manual" });
    page.location.href = asked.headers.get("Location") ?? "";
    const ended = new Promise<string>((resolve) => {
      Hub.listen("auth", ({ payload }) => resolve(payload.event));
    });
    openApp();
    assertEquals(await ended, "signInWithRedirect");
    const { tokens } = await fetchAuthSession();
    assertEquals(tokens?.idToken?.payload.email, "alice@example.com");
    await signOut();
    const { headers } = await lab.fetch(page.location.href, { redirect: "manual" });
    assertEquals(headers.get("Location"), "https://app.example/");
    lab.assertClean();
  });

  it("Z1: openid-client uses every step of a server cleanly, as the quick start shows", async () => {
    await using lab = await openProvider("cognito", options);
    using _ = lab.intercept();
    const { id, secret } = webClient;
    const config = await oidc.discovery(new URL(options.issuer), id, secret);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(config, {
      ...{ redirect_uri: callback, scope: "openid email", code_challenge_method: "S256" },
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    });
    const answer = new URL(`${callback}?code=${await codeAt(lab, url)}`);
    const tokens = await oidc.authorizationCodeGrant(config, answer, { pkceCodeVerifier });
    const sub = tokens.claims()?.sub ?? "";
    const user = await oidc.fetchUserInfo(config, tokens.access_token, sub);
    assertEquals(user.email, "alice@example.com");
    await oidc.refreshTokenGrant(config, tokens.refresh_token ?? "");
    // The stored metadata is older than its revocation endpoint.
    const body = new URLSearchParams({ token: tokens.refresh_token ?? "", client_id: id });
    const headers = { Authorization: `Basic ${btoa(`${id}:${secret}`)}` };
    const revoked = await fetch(`https://${domain}/oauth2/revoke`, {
      method: "POST",
      headers,
      body,
    });
    assertEquals(revoked.status, 200);
    lab.assertClean();
  });

  it("Z1: cognito-passport-oauth2 signs in cleanly, without the API of user pools", async () => {
    await using lab = await openProvider("cognito", options);
    using _ = lab.intercept({ http: true });
    const { id: clientID, secret: clientSecret = "" } = webClient;
    const registered = {
      clientID,
      clientSecret,
      callbackURL: callback,
      scope: ["openid", "email"],
    };
    const pool = { clientDomain: `https://${domain}`, region: "eu-west-1", skipUserProfile: true };
    const strategy = new CognitoStrategy({ ...registered, ...pool }, keepTokens);
    const asked = { state: "state-of-a-user" };
    const { redirect = "" } = await runStrategy(strategy, { query: {} }, asked);
    const query = { code: await codeAt(lab, redirect) };
    const { user, error } = await runStrategy(strategy, { query }, asked);
    assertEquals([error, decodeJwt(user.id_token).email], [undefined, "alice@example.com"]);
    lab.assertClean();
  });
});

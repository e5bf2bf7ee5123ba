// The application under test. It signs users in with openid-client, and contains no test code.
import * as openid from "openid-client";

export const redirectUri = "http://localhost:3000/callback";

/** Begins a login: returns the URL for the browser, and a function that handles the callback. */
export async function beginLogin(issuer: string, fetch?: openid.CustomFetch) {
  const options = fetch && { [openid.customFetch]: fetch };
  const config = await openid.discovery(new URL(issuer), "web", undefined, openid.None(), options);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile",
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const finish = async (callback: string) => {
    const tokens = await openid.authorizationCodeGrant(config, new URL(callback), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    });
    const claims = tokens.claims()!;
    if ((claims.azp ?? "web") !== "web") throw new Error("The ID token is for another client.");
    const profile = () => openid.fetchUserInfo(config, tokens.access_token, claims.sub);
    const home = new URL("/", redirectUri).href;
    const logout = { id_token_hint: tokens.id_token!, post_logout_redirect_uri: home };
    const signOutUrl = () => openid.buildEndSessionUrl(config, logout).href;
    return { sub: claims.sub, claims, profile, signOutUrl };
  };
  return { url: url.href, finish };
}

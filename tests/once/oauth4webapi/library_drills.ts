import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import type { HallpassOptions, TestLab } from "../../../src/lab/testing/mod.ts";
import { openLibrary } from "./library_login.ts";

const appOrigin = "https://app.example";
const clientId = "app";
const redirectUri = `${appOrigin}/callback`;
const signedOutUri = `${appOrigin}/signed-out`;
const scope = "openid offline_access";

/** How much a login asks of a library. */
export interface LibraryUse {
  /** Whether authorization responses and userinfo are signed. */
  signed: boolean;
  /** Whether the library verifies the signatures for which TLS may vouch. */
  verifies: boolean;
}

/** Returns the configuration of a lab for a library. */
export function labFor({ signed }: LibraryUse): HallpassOptions {
  return {
    clients: [{
      id: clientId,
      redirectUris: [redirectUri],
      postLogoutRedirectUris: [signedOutUri],
      grantTypes: ["authorization_code", "refresh_token"],
      ...signed && { authorizationResponseAlg: "RS256", userinfoAlg: "RS256" },
    }],
  };
}

/** Signs in with oauth4webapi, refreshes, calls userinfo, and signs out. */
export async function useOauth4webapi(lab: TestLab, use: LibraryUse): Promise<void> {
  const browser = lab.browser();
  const client: oauth.Client = {
    client_id: clientId,
    ...use.signed && { userinfo_signed_response_alg: "RS256" },
  };
  const library = await openLibrary(lab, { client, redirectUri });
  const { server, options } = library;
  const mode = use.signed && { response_mode: "jwt" };
  const begun = await library.begin({ scope, prompt: "consent", ...mode });
  const { callback } = await browser.authorize(begun.url, { user: "alice" });
  const tokens = await library.finish(callback, begun, {
    checks: { requireIdToken: true },
    verifySignature: use.verifies,
    ...use.signed && {
      validate: (url) => oauth.validateJwtAuthResponse(server, client, url, begun.state, options),
    },
  });
  const { sub = "" } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, options);
  await oauth.processUserInfoResponse(server, client, sub, info);
  if (use.signed && use.verifies) {
    await oauth.validateApplicationLevelSignature(server, info, options);
  }
  await library.refresh(tokens.refresh_token ?? "");
  await signOut(browser, server.end_session_endpoint, begun.state);
}

/** Signs in with openid-client, refreshes, calls userinfo, and signs out. */
export async function useOpenidClient(lab: TestLab, use: LibraryUse): Promise<void> {
  const browser = lab.browser();
  const metadata = use.signed ? { userinfo_signed_response_alg: "RS256" } : undefined;
  const config = await openid.discovery(new URL(lab.issuer), clientId, metadata, openid.None(), {
    [openid.customFetch]: (url, init) => lab.fetch(url, init as object),
    execute: [
      ...use.signed ? [openid.useJwtResponseMode] : [],
      ...use.verifies ? [openid.enableNonRepudiationChecks] : [],
    ],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    prompt: "consent",
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const { callback } = await browser.authorize(url.href, { user: "alice" });
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks);
  await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? "");
  await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
  await signOut(browser, config.serverMetadata().end_session_endpoint, expectedState);
}

/** Signs out, and expects the state to come back. */
async function signOut(
  browser: ReturnType<TestLab["browser"]>,
  endpoint: string | undefined,
  state: string,
): Promise<void> {
  const query = new URLSearchParams({
    client_id: clientId,
    post_logout_redirect_uri: signedOutUri,
    state,
  });
  const next = await browser.signOut(`${endpoint}?${query}`);
  if (next !== `${signedOutUri}?state=${state}`) throw new Error(`The browser comes to ${next}.`);
}

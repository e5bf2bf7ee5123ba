import * as oauth from "oauth4webapi";
import type { TestLab } from "../../../src/lab/testing/mod.ts";

/** What a test changes about a login. */
export interface LoginOptions {
  client?: string;
  scope?: string;
  user?: string;
  state?: string;
  loginHint?: string;
  /**
   * Whether the client fetches the keys and checks the signature of the ID token. Default: true.
   */
  verifySignature?: boolean;
  /** Whether the client calls userinfo as well. Default: true. */
  callUserinfo?: boolean;
}

export interface LoggedIn {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  tokens: oauth.TokenEndpointResponse;
  claims: oauth.IDToken | undefined;
}

/** Returns the options with which the library sends its requests to a lab. */
export function options(lab: TestLab, signal?: AbortSignal) {
  return {
    [oauth.customFetch]: (url: string, init: object) => lab.fetch(url, init),
    [oauth.allowInsecureRequests]: true,
    ...signal && { signal },
  };
}

export async function discover(lab: TestLab): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(lab.issuer);
  return await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, options(lab)),
  );
}

/** Signs a user in as a careful client does. */
export async function login(lab: TestLab, given: LoginOptions = {}): Promise<LoggedIn> {
  const {
    client: client_id = "demo-spa",
    scope = "openid profile read",
    user = "alice",
    verifySignature = true,
    callUserinfo = true,
  } = given;
  const server = await discover(lab);
  const client: oauth.Client = { client_id };
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [given.state ?? oauth.generateRandomState(), oauth.generateRandomNonce()];
  const redirectUri = `${lab.issuer}/authorized`;
  const url = new URL(server.authorization_endpoint!);
  const parameters = {
    client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...given.loginHint && { login_hint: given.loginHint },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const { callback } = await lab.authorize(url.href, { user });
  const callbackParameters = oauth.validateAuthResponse(server, client, new URL(callback), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    callbackParameters,
    redirectUri,
    verifier,
    options(lab),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: scope.includes("openid"),
  });
  if (verifySignature && tokens.id_token) {
    await oauth.validateApplicationLevelSignature(server, response, options(lab));
  }
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (callUserinfo && claims) {
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, options(lab));
    await oauth.processUserInfoResponse(server, client, claims.sub, info);
  }
  return { server, client, tokens, claims };
}

export async function refresh(
  lab: TestLab,
  { server, client }: LoggedIn,
  token: string,
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    token,
    options(lab),
  );
  return await oauth.processRefreshTokenResponse(server, client, response);
}

// A client that uses oauth4webapi, with the steps that several tests share.
import assert from "node:assert/strict";
import process from "node:process";
import * as oauth from "oauth4webapi";
import { authorize, issuer } from "./running_server.ts";

/** Where the server sends the user back to. */
export const redirect_uri = "https://app.example/callback";

/** What every request of the library is sent with: the server under test has no TLS. */
export const options = { [oauth.allowInsecureRequests]: true };

/** The metadata of the server under test. */
export const server = await oauth.processDiscoveryResponse(
  new URL(issuer),
  await oauth.discoveryRequest(new URL(issuer), options),
);

/** A client that the library has registered, and how it authenticates. */
export interface SuiteClient {
  client: oauth.Client;
  auth: oauth.ClientAuth;
}

/** Registers a client, which authenticates with its secret unless a test says how (RFC 7591). */
export async function registerClient(
  metadata: Partial<oauth.Client> = {},
  auth?: oauth.ClientAuth,
): Promise<SuiteClient> {
  const grant_types = ["authorization_code", "refresh_token"];
  const initialAccessToken = process.env.HALLPASS_INITIAL_ACCESS_TOKEN!;
  const response = await oauth.dynamicClientRegistrationRequest(
    server,
    { redirect_uris: [redirect_uri], grant_types, ...metadata },
    { ...options, initialAccessToken },
  );
  const client = await oauth.processDynamicClientRegistrationResponse(response);
  return {
    client,
    auth: auth ?? oauth.ClientSecretBasic(`${client.client_secret}`),
  };
}

/** Registers a public client. */
export function registerPublicClient(
  metadata: Partial<oauth.Client> = {},
): Promise<SuiteClient> {
  return registerClient(
    { token_endpoint_auth_method: "none", ...metadata },
    oauth.None(),
  );
}

/** Creates a key pair, and the key set with its public key. */
export async function makeKeys() {
  const { privateKey: key, publicKey } = await oauth.generateKeyPair("ES256", {
    extractable: true,
  });
  const { key_ops: _, ...jwk } = await crypto.subtle.exportKey(
    "jwk",
    publicKey,
  );
  return {
    key: { key, kid: "key" },
    jwks: { keys: [{ ...jwk, kid: "key", alg: "ES256" }] },
  };
}

/** What a client sends to the authorization endpoint, and what it must remember of it. */
export interface Login {
  parameters: Record<string, string>;
  verifier: string;
  state: string;
  nonce: string;
}

/** Prepares an authorization request with PKCE, a state and a nonce. */
export async function newLogin(
  { client: { client_id } }: SuiteClient,
): Promise<Login> {
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const parameters = {
    client_id,
    redirect_uri,
    response_type: "code",
    scope: "openid profile offline_access",
    prompt: "consent",
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  return { parameters, verifier, state, nonce };
}

/** Sends the user to the server, and returns the URL of the callback. */
export function visit(parameters: Record<string, string>): Promise<URL> {
  return authorize(
    `${server.authorization_endpoint}?${new URLSearchParams(parameters)}`,
  );
}

/** Redeems the code of a callback, and checks the ID token with its signature. */
export async function redeem(
  { client, auth }: SuiteClient,
  { verifier, nonce }: Login,
  callback: URLSearchParams,
  more: oauth.TokenEndpointRequestOptions = {},
): Promise<oauth.TokenEndpointResponse> {
  const request = () =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      callback,
      redirect_uri,
      verifier,
      { ...options, ...more },
    );
  const read = async () => {
    const response = await request();
    const checks = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
      checks,
    );
    await oauth.validateApplicationLevelSignature(server, response, options);
    return tokens;
  };
  return await withNonce(read);
}

/** Signs a user in with a plain authorization request. */
export async function signIn(
  client: SuiteClient,
  more?: oauth.TokenEndpointRequestOptions,
): Promise<oauth.TokenEndpointResponse> {
  const login = await newLogin(client);
  const callback = await visit(login.parameters);
  return await redeem(
    client,
    login,
    validate(client, callback, login.state),
    more,
  );
}

/** Checks the `state` and the `iss` of a callback (RFC 9207). */
export function validate(
  { client }: SuiteClient,
  callback: URL,
  state: string,
): URLSearchParams {
  return oauth.validateAuthResponse(server, client, callback, state);
}

/** Sends a request again with the nonce that the server asks for (RFC 9449, section 8). */
export async function withNonce<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (cause) {
    if (!oauth.isDPoPNonceError(cause)) throw cause;
    return await send();
  }
}

/** Returns what the server says about a token, to the client that it was issued to (RFC 7662). */
export async function introspect(
  { client, auth }: SuiteClient,
  token: string,
): Promise<oauth.IntrospectionResponse> {
  const response = await oauth.introspectionRequest(
    server,
    client,
    auth,
    token,
    options,
  );
  return await oauth.processIntrospectionResponse(server, client, response);
}

/** Returns the `sub` of an ID token that was checked. */
export function subjectOf(tokens: oauth.TokenEndpointResponse): string {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  assert.ok(claims);
  return claims.sub;
}

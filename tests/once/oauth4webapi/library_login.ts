import * as oauth from "oauth4webapi";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import type { Kit } from "../../support/kit.ts";

/** How the library reaches a server. A lab is one. */
export interface LibraryDoor {
  issuer: string;
  fetch(url: string, init: object): Promise<Response>;
}

/** What the client of a library is. By default it is demo-spa. */
export interface LibraryOptions {
  client?: string | oauth.Client;
  auth?: oauth.ClientAuth;
  redirectUri?: string;
  algorithm?: "oidc" | "oauth2";
  DPoP?: oauth.DPoPHandle;
  signal?: AbortSignal | undefined;
}

type Parameters = Record<string, string>;

/** What a client notes when it begins, and checks at the end. */
export interface Begun {
  url: string;
  verifier: string;
  state: string;
  nonce: string;
}

/** What a test changes about the end of a flow. */
export interface Ending {
  /** Reads the authorization response of a callback. */
  validate?(callback: URL): URLSearchParams | Promise<URLSearchParams>;
  checks?: oauth.ProcessAuthorizationCodeResponseOptions;
  /** Whether the client fetches the keys and checks the signature of the ID token. */
  verifySignature?: boolean;
}

/** A client of the library, whose functions know their server. */
export type Library = Awaited<ReturnType<typeof openLibrary>>;

/** Returns a server in this process as a door. */
export function doorOf({ issuer, server }: Pick<Kit, "issuer" | "server">): LibraryDoor {
  return { issuer, fetch: (url, init) => server.fetch(new Request(url, init)) };
}

/** Returns the options with which the library sends its requests to a server. */
export function optionsFor(door: LibraryDoor) {
  return {
    [oauth.customFetch]: (url: string, init: object) => door.fetch(url, init),
    [oauth.allowInsecureRequests]: true,
  };
}

/** Finds a server. Each function of the client sends a request, and processes the response. */
export async function openLibrary(door: LibraryDoor, own: LibraryOptions = {}) {
  const { client: named = "demo-spa", auth = oauth.None(), algorithm = "oidc" } = own;
  const client: oauth.Client = typeof named === "string" ? { client_id: named } : named;
  const options = {
    ...optionsFor(door),
    ...own.DPoP && { DPoP: own.DPoP },
    ...own.signal && { signal: own.signal },
  };
  const issuer = new URL(door.issuer);
  const found = await oauth.discoveryRequest(issuer, { ...optionsFor(door), algorithm });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const endpoint = `${server.authorization_endpoint}`;
  const { redirectUri = endpoint.replace("/oauth2/authorize", "/authorized") } = own;
  const all = [server, client, auth] as const;

  const library = {
    server,
    client,
    options,

    /** Returns the parameters of an authorization request, with a test's changes. */
    async parameters(verifier: string, changes: Parameters = {}): Promise<URLSearchParams> {
      return new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid profile read",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...changes,
      });
    },
    async begin(changes: Parameters = {}): Promise<Begun> {
      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const query = await library.parameters(verifier, { state, nonce, ...changes });
      return { url: `${endpoint}?${query}`, verifier, state: changes.state ?? state, nonce };
    },
    /** Checks a callback. */
    validate(callback: string | URL, state: string | typeof oauth.expectNoState): URLSearchParams {
      return oauth.validateAuthResponse(server, client, new URL(callback), state);
    },
    async redeem(
      parameters: URLSearchParams,
      verifier: string,
      { checks, verifySignature = false }: Ending = {},
      more: object = {},
    ): Promise<oauth.TokenEndpointResponse> {
      return await exchange(
        () =>
          oauth.authorizationCodeGrantRequest(...all, parameters, redirectUri, verifier, {
            ...options,
            ...more,
          }),
        async (response) => {
          const tokens = await oauth.processAuthorizationCodeResponse(
            ...[server, client, response, checks] as const,
          );
          if (verifySignature && tokens.id_token) {
            await oauth.validateApplicationLevelSignature(server, response, options);
          }
          return tokens;
        },
      );
    },
    /** Checks a callback, and redeems its code as a careful client does. */
    async finish(
      callback: string,
      { verifier, state, nonce }: Begun,
      ending: Ending = {},
    ): Promise<oauth.TokenEndpointResponse> {
      const { validate = (url: URL) => library.validate(url, state), checks } = ending;
      const parameters = await validate(new URL(callback));
      const careful = { ...ending, checks: { expectedNonce: nonce, ...checks } };
      return await library.redeem(parameters, verifier, careful);
    },
    refresh: (token: string, parameters: Parameters = {}) =>
      exchange(
        () =>
          oauth.refreshTokenGrantRequest(...all, token, {
            ...options,
            additionalParameters: parameters,
          }),
        (response) => oauth.processRefreshTokenResponse(server, client, response),
      ),
    userinfo: (token: string, subject = "alice") =>
      exchange(
        () => oauth.userInfoRequest(server, client, token, options),
        (response) => oauth.processUserInfoResponse(server, client, subject, response),
      ),
    introspect: (token: string) =>
      exchange(
        () => oauth.introspectionRequest(...all, token, options),
        (response) => oauth.processIntrospectionResponse(server, client, response),
      ),
    async revoke(token: string): Promise<void> {
      const response = await oauth.revocationRequest(...all, token, options);
      await oauth.processRevocationResponse(response);
      await response.body?.cancel();
    },
    clientCredentials: (parameters: Parameters) =>
      exchange(
        () => oauth.clientCredentialsGrantRequest(...all, parameters, options),
        (response) => oauth.processClientCredentialsResponse(server, client, response),
      ),
    push: (parameters: URLSearchParams | Parameters) =>
      exchange(
        () => oauth.pushedAuthorizationRequest(...all, parameters, options),
        (response) => oauth.processPushedAuthorizationResponse(server, client, response),
      ),
    async register(metadata: object): Promise<oauth.Client> {
      const response = await oauth.dynamicClientRegistrationRequest(server, metadata, options);
      return await oauth.processDynamicClientRegistrationResponse(response);
    },
    beginDevice: (parameters: Parameters) =>
      exchange(
        () => oauth.deviceAuthorizationRequest(...all, parameters, options),
        (response) => oauth.processDeviceAuthorizationResponse(server, client, response),
      ),
    pollDevice: (code: string) =>
      exchange(
        () => oauth.deviceCodeGrantRequest(...all, code, options),
        (response) => oauth.processDeviceCodeResponse(server, client, response),
      ),
  };
  return library;
}

/** Sends again where the server asked for a nonce, which the library has noted (RFC 9449, 8). */
async function exchange<T>(
  send: () => Promise<Response>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    return await read(await send());
  } catch (cause) {
    if (oauth.isDPoPNonceError(cause)) return await read(await send());
    throw cause;
  }
}

/** What a test changes about a login. */
interface LoginOptions {
  client?: string;
  scope?: string;
  user?: string;
  state?: string;
  loginHint?: string;
  /** Whether the client checks the signature of the ID token. Default: true. */
  verifySignature?: boolean;
  /** Whether the client calls userinfo as well. Default: true. */
  callUserinfo?: boolean;
}

/** Signs a user in as a careful client does. */
export async function login(lab: TestLab, given: LoginOptions = {}) {
  const { client, scope = "openid profile read", user = "alice", callUserinfo = true } = given;
  const { state, loginHint: login_hint, verifySignature = true } = given;
  const library = await openLibrary(lab, { ...client !== undefined && { client } });
  const begun = await library.begin({
    scope,
    ...state !== undefined && { state },
    ...login_hint !== undefined && { login_hint },
  });
  const { callback } = await lab.authorize(begun.url, { user });
  const checks = { requireIdToken: scope.includes("openid") };
  const tokens = await library.finish(callback, begun, { checks, verifySignature });
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (callUserinfo && claims) await library.userinfo(tokens.access_token, claims.sub);
  return { ...library, tokens, claims };
}

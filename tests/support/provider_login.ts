import { createLocalJWKSet, jwtVerify, type JWTVerifyResult } from "jose";
import {
  type ClientConfig,
  hallpass,
  type HallpassOptions,
  type TestLab,
} from "../../src/lab/testing/mod.ts";
import { read, type ReadResponse, type RequestHeaders } from "./test_client.ts";
import { hasFeature } from "./where_feature.ts";
import type { ResponseBody } from "./wire.ts";

/** The status of the redirects of a provider, which presets play by a leniency. */
export const playedStatus = hasFeature("redirect_status") ? 302 : 303;

/** Where the users of the client are sent back to. */
export const callback = "https://app.example/callback";

/** A client as people register it with a provider: with a secret, and a nonce instead of PKCE. */
export const webClient: ClientConfig = {
  id: "web",
  secret: "a-secret-of-32-characters-or-more",
  redirectUris: [callback],
  ...hasFeature("logout") && { postLogoutRedirectUris: ["https://app.example/"] },
};

/** The tenant of Entra where its preset names none. */
export const entraTenant = "aaaabbbb-0000-cccc-1111-dddd2222eeee";

type Fields = Record<string, string>;

/** Where a client sends its requests: at the host of the provider, or below the issuer. */
export type Endpoints = readonly [authorize: string, token: string];

const endpoints: Readonly<Record<string, Endpoints>> = {
  apple: ["/auth/authorize", "/auth/token"],
  auth0: ["/authorize", "/oauth/token"],
  cognito: ["/oauth2/authorize", "/oauth2/token"],
  discord: ["oauth2/authorize", "api/oauth2/token"],
  entra: entraEndpoints(),
  github: ["login/oauth/authorize", "login/oauth/access_token"],
  gitlab: ["oauth/authorize", "oauth/token"],
  google: ["o/oauth2/v2/auth", "token"],
  keycloak: ["protocol/openid-connect/auth", "protocol/openid-connect/token"],
  linkedin: ["v2/authorization", "v2/accessToken"],
  okta: ["v1/authorize", "v1/token"],
  slack: ["openid/connect/authorize", "api/openid.connect.token"],
};

/** Where Entra has its endpoints for a tenant, or for the users of several. */
export function entraEndpoints(segment: string = entraTenant): Endpoints {
  return [`/${segment}/oauth2/v2.0/authorize`, `/${segment}/oauth2/v2.0/token`];
}

/** What the client of a test sends to a provider. */
export interface ProviderClient {
  authorizeUrl: string;
  tokenUrl: string;
  /** Sends an authorization request, without what a test makes empty. */
  ask(changes?: Fields): Promise<Response>;
  /** Sends an authorization request, and returns the parameters of the response. */
  callback(changes?: Fields): Promise<Record<string, string>>;
  /** Signs in, and returns the callback and the token response. */
  logIn(changes: Fields): Promise<ProviderLogin>;
  /** Sends a token request. */
  token(fields: Fields, headers?: RequestHeaders): Promise<ProviderResponse>;
  redeem(code: string | undefined, changes?: Fields, headers?: RequestHeaders): Promise<
    ProviderResponse
  >;
  refresh(token: string): Promise<ProviderResponse>;
  /** Sends a form to a path of the host, with the secret of the client in it. */
  form(path: string, fields?: Fields, headers?: RequestHeaders): Promise<ProviderResponse>;
  /** Asks for a path of the host, with an access token if there is one. */
  get(path: string, token?: string): Promise<Response>;
  json(path: string, token?: string): ReturnType<Response["json"]>;
  /** Verifies a token with the keys at a path of the host, as its audience does. */
  verify(token: string, keys: string, audience?: string): Promise<JWTVerifyResult>;
}

/** A response whose JSON may have members that only this provider has. */
interface ProviderResponse extends Omit<ReadResponse, "body"> {
  body: Awaited<ReturnType<Response["json"]>>;
}

/** What a login at a provider returns. */
export interface ProviderLogin {
  callback: Record<string, string>;
  tokens: ResponseBody;
}

/** A lab that plays a provider, and its client. */
export type PlayedLab = TestLab & ProviderClient;

/** Opens a lab that plays a provider, with such a client. */
export async function openProvider(
  provider: NonNullable<HallpassOptions["provider"]>,
  options: HallpassOptions = {},
): Promise<PlayedLab> {
  const lab = await hallpass({ provider, clients: [webClient], signIn: "alice", ...options });
  return Object.assign(lab, clientAt(lab, String(provider)));
}

/** Returns a client of a provider, or of what has its endpoints elsewhere. */
export function clientAt(
  lab: TestLab,
  places: string | Endpoints = ["oauth2/authorize", "oauth2/token"],
): ProviderClient {
  const urlOf = (path: string) => new URL(path, lab.issuer.replace(/\/?$/, "/")).href;
  const [authorize, token] = typeof places === "string" ? endpoints[places] ?? ["", ""] : places;
  const client: ProviderClient = {
    authorizeUrl: urlOf(authorize),
    tokenUrl: urlOf(token),
    async ask(changes = {}) {
      const query = new URLSearchParams({
        ...{ response_type: "code", client_id: "web", redirect_uri: callback, state: "a-state" },
        nonce: crypto.randomUUID(),
        ...changes,
      });
      for (const [name, value] of Object.entries(changes)) if (value === "") query.delete(name);
      return await lab.fetch(`${client.authorizeUrl}?${query}`, { redirect: "manual" });
    },
    callback: async (changes) => callbackOf(await client.ask(changes)),
    async logIn(changes) {
      const callback = await client.callback(changes);
      return { callback, tokens: (await client.redeem(callback.code)).body };
    },
    token: (fields, headers) => client.form(client.tokenUrl, fields, headers),
    redeem(code = "", changes, headers) {
      const grant = { grant_type: "authorization_code", redirect_uri: callback, code };
      return client.token({ ...grant, ...changes }, headers);
    },
    refresh: (refresh_token) => client.token({ grant_type: "refresh_token", refresh_token }),
    async form(path, fields, headers = { Accept: "application/json" }) {
      const own = { client_id: webClient.id, client_secret: webClient.secret ?? "" };
      const body = new URLSearchParams({ ...own, ...fields });
      const url = new URL(path, lab.issuer);
      return await read(await lab.fetch(url, { method: "POST", headers, body }));
    },
    get(path, token) {
      const headers: RequestHeaders = token ? { Authorization: `Bearer ${token}` } : {};
      return lab.fetch(new URL(path, lab.issuer), { headers });
    },
    json: async (path, token) => await (await client.get(path, token)).json(),
    verify: async (token, keys, audience = "web") =>
      await jwtVerify(token, createLocalJWKSet(await client.json(keys)), {
        issuer: lab.issuer,
        audience,
        currentDate: new Date(lab.clock.now()),
      }),
  };
  return client;
}

/** Returns the parameters of an authorization response. */
export function callbackOf(response: Response): Record<string, string> {
  const location = new URL(response.headers.get("Location") ?? "about:blank");
  return Object.fromEntries(location.searchParams);
}

/** Follows the URL of a client to the provider, and returns the code of the response. */
export async function codeAt({ fetch }: TestLab, url: string | URL): Promise<string> {
  return callbackOf(await fetch(url, { redirect: "manual" })).code ?? "";
}

/** A lab in which a user signed in with the client. */
export async function loggedIn(
  opening: Promise<PlayedLab>,
  changes: Fields,
): Promise<ProviderLogin & AsyncDisposable & { lab: PlayedLab }> {
  const lab = await opening;
  return { lab, ...await lab.logIn(changes), [Symbol.asyncDispose]: () => lab.close() };
}

/** A client without a secret. */
export const publicClient: ClientConfig = {
  id: "spa",
  redirectUris: [callback],
  ...hasFeature("logout") && { postLogoutRedirectUris: ["https://app.example/"] },
};

/** A browser in which alice signed in, and which follows no redirect. */
export interface SignedInBrowser {
  visit(url: string): Promise<Response>;
  signIn(): Promise<unknown>;
  isSignedIn(): Promise<boolean>;
}

/** Signs alice in. */
export async function signInByHand(lab: PlayedLab, scope: string): Promise<SignedInBrowser> {
  const browser = lab.browser();
  const request = { response_type: "code", client_id: "web", redirect_uri: callback, scope };
  const url = `${lab.authorizeUrl}?${new URLSearchParams({ ...request, state: "s" })}`;
  const visit = (url: string) => {
    const headers = { Cookie: [...browser.cookies].map((each) => each.join("=")).join("; ") };
    return lab.fetch(url, { headers, redirect: "manual" });
  };
  const signIn = () => browser.authorize(url, { user: "alice" });
  await signIn();
  const isSignedIn = async () => callbackOf(await visit(`${url}&prompt=none`)).code !== undefined;
  return { visit, signIn, isSignedIn };
}

import { createLocalJWKSet, jwtVerify, type JWTVerifyResult } from "jose";
import {
  type ClientConfig,
  hallpass,
  type HallpassOptions,
  type TestLab,
} from "../../src/lab/testing/mod.ts";
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

/** Opens a lab that plays a provider, with such a client. */
export function openProvider(
  provider: NonNullable<HallpassOptions["provider"]>,
  options: HallpassOptions = {},
): Promise<TestLab> {
  return hallpass({ provider, clients: [webClient], signIn: "alice", ...options });
}

/** Sends an authorization request, without what a test makes empty, and returns its response. */
export async function askProvider(
  lab: TestLab,
  url: string,
  changes: Record<string, string>,
): Promise<Response> {
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: "web", redirect_uri: callback, state: "a-state" },
    nonce: crypto.randomUUID(),
    ...changes,
  });
  for (const [name, value] of Object.entries(changes)) if (value === "") query.delete(name);
  return await lab.fetch(`${url}?${query}`, { redirect: "manual" });
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

/** Sends a token request with the secret of the client in its body. */
export async function requestTokens(
  lab: TestLab,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { Accept: "application/json" },
): Promise<Response> {
  const body = new URLSearchParams({
    ...{ client_id: webClient.id, client_secret: webClient.secret ?? "" },
    ...fields,
  });
  return await lab.fetch(url, { method: "POST", headers, body });
}

/** What a login at a provider returns. */
export interface ProviderLogin {
  callback: Record<string, string>;
  tokens: ResponseBody;
}

/** Signs in with the client, and returns the callback and the token response. */
export async function logIn(
  lab: TestLab,
  { authorize, token }: { authorize: string; token: string },
  changes: Record<string, string>,
): Promise<ProviderLogin> {
  const parameters = callbackOf(await askProvider(lab, authorize, changes));
  const fields = { grant_type: "authorization_code", redirect_uri: callback };
  const response = await requestTokens(lab, token, { ...fields, code: parameters.code ?? "" });
  return { callback: parameters, tokens: await response.json() };
}

/** A lab in which a user signed in with the client. */
export async function loggedIn(
  opening: Promise<TestLab>,
  urlsOf: (lab: TestLab) => Parameters<typeof logIn>[1],
  changes: Record<string, string>,
): Promise<ProviderLogin & AsyncDisposable & { lab: TestLab }> {
  const lab = await opening;
  const login = await logIn(lab, urlsOf(lab), changes);
  return { lab, ...login, [Symbol.asyncDispose]: () => lab.close() };
}

/** Reads the JSON at a path of the provider's host, with an access token if there is one. */
export async function readJson(
  { issuer, fetch }: TestLab,
  path: string,
  token?: string,
): ReturnType<Response["json"]> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  return await (await fetch(new URL(issuer).origin + path, { headers })).json();
}

/** Verifies a token with the keys at a path of the provider's host, as its audience does. */
export async function verifyToken(
  lab: TestLab,
  token: string,
  { keys, audience = "web" }: { keys: string; audience?: string },
): Promise<JWTVerifyResult> {
  return await jwtVerify(token, createLocalJWKSet(await readJson(lab, keys)), {
    issuer: lab.issuer,
    audience,
    currentDate: new Date(lab.clock.now()),
  });
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

/** Signs alice in at an authorization endpoint. */
export async function signInAt(
  lab: TestLab,
  authorize: string,
  scope: string,
): Promise<SignedInBrowser> {
  const browser = lab.browser();
  const request = { response_type: "code", client_id: "web", redirect_uri: callback, scope };
  const url = `${authorize}?${new URLSearchParams({ ...request, state: "s" })}`;
  const visit = (url: string) => {
    const headers = { Cookie: [...browser.cookies].map((each) => each.join("=")).join("; ") };
    return lab.fetch(url, { headers, redirect: "manual" });
  };
  const signIn = () => browser.authorize(url, { user: "alice" });
  await signIn();
  const isSignedIn = async () => callbackOf(await visit(`${url}&prompt=none`)).code !== undefined;
  return { visit, signIn, isSignedIn };
}

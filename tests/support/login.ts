import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { TestLab } from "../../src/lab/testing/mod.ts";
import { sha256 } from "../../src/server/util/crypto/hash.ts";
import { testClient } from "./test_client.ts";
import type { ProviderMetadata } from "./wire.ts";

/** The server under test, as far as a client needs it. */
type LabEndpoints = Pick<TestLab, "issuer" | "fetch" | "authorize">;

export interface LoginOptions {
  scope?: string;
  user?: string;
  state?: string;
  /** Whether the client checks the signature of the ID token. Default: true. */
  verifySignature?: boolean;
  /** Whether the client calls userinfo as well. Default: true. */
  callUserinfo?: boolean;
}

export interface TokenSet {
  access_token: string;
  token_type: string;
  id_token?: string;
  refresh_token?: string;
}

export interface LoginResult {
  tokens: TokenSet;
  claims: JWTPayload;
}

const client_id = "demo-spa";

/** Signs a user in as a careful client does, which makes every check that it must. */
export async function login(lab: LabEndpoints, options: LoginOptions = {}): Promise<LoginResult> {
  const { scope = "openid profile read", user = "alice" } = options;
  const provider = await discover(lab);
  const state = options.state ?? crypto.randomUUID();
  const nonce = crypto.randomUUID();
  const codeVerifier = `${crypto.randomUUID()}${crypto.randomUUID()}`;
  const code_challenge = await sha256(codeVerifier);
  const url = authorizationUrl(lab, { scope, state, nonce, code_challenge });
  const { callback } = await lab.authorize(url, { user });
  const tokens = await requestTokens(lab, provider, {
    grant_type: "authorization_code",
    code: readCode(new URL(callback), state, provider.issuer),
    redirect_uri: `${lab.issuer}/authorized`,
    code_verifier: codeVerifier,
  });
  const claims = await readIdToken(lab, provider, tokens, options.verifySignature ?? true);
  expectEqual("nonce", claims.nonce, nonce);
  if (options.callUserinfo ?? true) {
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const { sub } = await fetchJson<{ sub: string }>(lab, provider.userinfo_endpoint, { headers });
    expectEqual("sub", sub, claims.sub);
  }
  return { tokens, claims };
}

/** Refreshes tokens, and checks the ID token that comes with them. */
export async function refresh(lab: LabEndpoints, refresh_token: string): Promise<TokenSet> {
  const provider = await discover(lab);
  const fields = { grant_type: "refresh_token", refresh_token };
  const tokens = await requestTokens(lab, provider, fields);
  if (tokens.id_token) await readIdToken(lab, provider, tokens, false);
  return tokens;
}

/** Returns the URL of a valid authorization request of demo-spa, with a test's changes. */
const client = testClient();

export const { authorizationUrl } = client;

/** Returns an authorization URL with a new state and a new nonce. */
export function freshUrl(lab: LabEndpoints, changes: Record<string, string> = {}): string {
  const [state, nonce] = [crypto.randomUUID(), crypto.randomUUID()];
  return authorizationUrl(lab, { state, nonce, ...changes });
}

/** Signs a user in without any check, and returns the tokens. */
export async function freshTokens(lab: LabEndpoints, changes?: Record<string, string>) {
  const { code } = await lab.authorize(freshUrl(lab, changes), { user: "alice" });
  return (await client.redeem(lab, code!)).body;
}

async function discover(lab: LabEndpoints): Promise<ProviderMetadata> {
  const url = `${lab.issuer}/.well-known/openid-configuration`;
  const provider = await fetchJson<ProviderMetadata>(lab, url);
  expectEqual("issuer", provider.issuer, lab.issuer);
  return provider;
}

/** Reads the code from the callback; a parameter that comes twice is as wrong as a missing one. */
function readCode({ searchParams }: URL, state: string, issuer: string): string {
  expectEqual("state", searchParams.getAll("state").join(), state);
  expectEqual("iss", searchParams.getAll("iss").join(), issuer);
  expectEqual("error", searchParams.get("error"), null);
  const code = searchParams.get("code");
  if (code === null) throw new Error("The callback has no code.");
  return code;
}

async function requestTokens(
  lab: LabEndpoints,
  provider: ProviderMetadata,
  fields: Record<string, string>,
): Promise<TokenSet> {
  const body = new URLSearchParams({ ...fields, client_id });
  const tokens = await fetchJson<TokenSet>(lab, provider.token_endpoint, { method: "POST", body });
  expectEqual("token_type", tokens.token_type.toLowerCase(), "bearer");
  return tokens;
}

/** Verifies an ID token (OpenID Connect Core, section 3.1.3.7). */
async function readIdToken(
  lab: LabEndpoints,
  provider: ProviderMetadata,
  { id_token }: TokenSet,
  verifySignature: boolean,
): Promise<JWTPayload> {
  if (id_token === undefined) throw new Error("The response has no ID token.");
  if (!verifySignature) return checkClaims(provider, decodeJwt(id_token));
  const keys = createLocalJWKSet(await fetchJson<JSONWebKeySet>(lab, provider.jwks_uri));
  const { payload } = await jwtVerify(id_token, keys, {
    issuer: provider.issuer,
    audience: client_id,
    requiredClaims: ["sub", "exp", "iat", "nonce"],
  });
  expectEqual("aud", [payload.aud].flat().join(), client_id);
  return payload;
}

function checkClaims(provider: ProviderMetadata, claims: JWTPayload): JWTPayload {
  expectEqual("iss", claims.iss, provider.issuer);
  expectEqual("aud", claims.aud, client_id);
  return claims;
}

async function fetchJson<T>(lab: LabEndpoints, url: string, init: RequestInit = {}): Promise<T> {
  const response = await lab.fetch(url, { redirect: "manual", ...init });
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}.`);
  return await response.json();
}

function expectEqual(name: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`'${name}' is ${actual} and must be ${expected}.`);
}

/** Sends a request that breaks a rule, and another that is refused. */
export async function misbehave(lab: TestLab): Promise<void> {
  await lab.fetch(authorizationUrl(lab, { code_challenge_method: "plain" }));
  const request = { grant_type: "client_credentials", client_id: "demo-service" };
  await client.token(lab, request);
}

import type { ResponseData } from "../../../server/http/response_data.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { withIssuedRefreshToken } from "../../handling/issued_refresh_token.ts";
import { readJwt } from "../../recording/credentials.ts";
import { mockJson, MockRefusal } from "./mock_error.ts";
import { type MockParameters, readMockParameters } from "./mock_parameters.ts";
import { newRefreshToken, rotateRefreshToken } from "./mock_refresh_tokens.ts";
import type { MockIssuerExchange, MockState, PendingLogin } from "./mock_state.ts";
import { audienceClaim, signerOf, signMockToken } from "./mock_tokens.ts";
import type { CallbackSource, TokenCallback } from "./token_callback.ts";

const extensionGrant = "urn:ietf:params:oauth:grant-type:";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/** A token request, and the callback that its tokens follow. */
interface MockTokenExchange extends MockIssuerExchange {
  parameters: MockParameters;
  /** The members of the response of the server, if it issued tokens. */
  strict: Record<string, unknown>;
}

/** Issues tokens for any client, and for codes and refresh tokens of any issuer of the lab. */
export async function respondToToken(exchange: MockIssuerExchange): Promise<ResponseData> {
  const { state, wireRequest, respondStrictly } = exchange;
  if (wireRequest.method !== "POST") return mockJson({ error: "invalid_request" }, 405);
  const parameters = readMockParameters(wireRequest);
  if (parameters.grantType === "") {
    throw new MockRefusal("invalid_request", "missing required parameter grant_type");
  }
  const asked = withIssuedRefreshToken(exchange, state.originals);
  const strict = membersOf(await respondStrictly(asked));
  const body = await issue({ ...exchange, parameters, strict });
  rememberOriginals(state, body, strict);
  return mockJson(body, 200, [["Pragma", "no-cache"]]);
}

/** Remembers the tokens of the server, which it has to get in place of those of the client. */
function rememberOriginals(
  { originals }: MockState,
  returned: Readonly<Record<string, unknown>>,
  strict: Readonly<Record<string, unknown>>,
): void {
  for (const name of ["access_token", "refresh_token"]) {
    const token = returned[name];
    const original = strict[name];
    if (typeof token === "string" && typeof original === "string") originals.set(token, original);
  }
}

async function issue(exchange: MockTokenExchange): Promise<Record<string, unknown>> {
  switch (exchange.parameters.grantType) {
    case "authorization_code":
      return await redeemCode(exchange);
    case "refresh_token":
      return await refresh(exchange);
    case "password":
      return await signInByPassword(exchange);
    case "client_credentials":
      return await issueToService(exchange);
    case `${extensionGrant}jwt-bearer`:
      return await exchangeToken(exchange, "assertion");
    case `${extensionGrant}token-exchange`:
      return await exchangeToken(exchange, "subject_token");
    default:
      throw new MockRefusal("invalid_grant", "the grant type is not supported");
  }
}

async function redeemCode(exchange: MockTokenExchange): Promise<Record<string, unknown>> {
  const { state, issuerId, parameters: { form } } = exchange;
  const code = form.get("code") ?? "";
  const login = state.codes.get(code);
  if (!login) {
    throw new MockRefusal("invalid_grant", "unknown or already-used authorization code");
  }
  state.codes.delete(code);
  await checkVerifier(login, form.get("code_verifier"));
  const source = state.sourceFor(issuerId);
  const tokens = await userTokens(exchange, source, login);
  const refreshToken = newRefreshToken(exchange.strict, login.nonce);
  state.refreshTokens.set(refreshToken, { ...login, issuerId, source });
  return { ...tokens, refresh_token: refreshToken };
}

async function checkVerifier(
  { challenge, method }: PendingLogin,
  verifier: string | null,
): Promise<void> {
  if (verifier === null) return;
  const sent = method.toUpperCase() === "S256" ? await sha256(verifier) : verifier;
  if (sent === challenge) return;
  throw new MockRefusal(
    "invalid_grant",
    "invalid_pkce: code_verifier does not compute to code_challenge from request",
  );
}

async function refresh(exchange: MockTokenExchange): Promise<Record<string, unknown>> {
  const { state, issuerId, parameters: { form } } = exchange;
  const token = form.get("refresh_token") ?? "";
  const known = state.refreshTokens.get(token);
  if (known && known.issuerId !== issuerId) {
    throw new MockRefusal("invalid_grant", "refresh_token was issued by a different issuer");
  }
  const source = state.takeEnqueued(issuerId);
  const login = source ? { subject: undefined, claims: {}, issuerId, source } : known;
  if (!login) throw new MockRefusal("invalid_grant", "unknown refresh_token");
  const { subject, claims } = login;
  const tokens = await userTokens(exchange, login.source, { subject, claims });
  return { ...tokens, refresh_token: rotateRefreshToken(exchange, token, login) };
}

async function signInByPassword(exchange: MockTokenExchange): Promise<Record<string, unknown>> {
  const { state, issuerId, parameters: { form } } = exchange;
  const subject = form.get("username") ?? undefined;
  return await userTokens(exchange, state.sourceFor(issuerId), { subject, claims: {} });
}

/** Returns the members with the tokens about a user. */
async function userTokens(
  exchange: MockTokenExchange,
  source: CallbackSource,
  { subject, claims, nonce }: Pick<PendingLogin, "subject" | "claims"> & {
    nonce?: string | undefined;
  },
): Promise<Record<string, unknown>> {
  const { parameters } = exchange;
  const signer = signerOf(exchange);
  const callback = withAdded(source(parameters, subject), claims);
  return {
    ...bearer(callback, parameters),
    id_token: await signMockToken(signer, callback, {
      nonce,
      aud: requireClient(parameters),
    }),
    access_token: await signMockToken(signer, callback, {
      nonce,
      aud: audienceClaim(callback.audience),
    }),
  };
}

async function issueToService(exchange: MockTokenExchange): Promise<Record<string, unknown>> {
  const { state, issuerId, parameters } = exchange;
  requireClient(parameters);
  const callback = state.sourceFor(issuerId)(parameters);
  const aud = audienceClaim(callback.audience);
  return {
    ...bearer(callback, parameters),
    access_token: await signMockToken(signerOf(exchange), callback, { aud }),
  };
}

/** Issues a token with the claims of another one. */
async function exchangeToken(
  exchange: MockTokenExchange,
  name: "assertion" | "subject_token",
): Promise<Record<string, unknown>> {
  const { state, issuerId, parameters } = exchange;
  const claims = readJwt(parameters.form.get(name) ?? "")?.claims;
  if (!claims) throw new MockRefusal("invalid_request", `missing required parameter ${name}`);
  const callback = { ...state.sourceFor(issuerId)(parameters), subject: undefined };
  const scope = parameters.form.get("scope") ?? claims.scope;
  if (name === "assertion" && typeof scope !== "string") {
    throw new MockRefusal(
      "invalid_request",
      "scope must be specified in request or as a claim in assertion parameter",
    );
  }
  const aud = audienceClaim(callback.audience);
  return {
    ...bearer(callback, parameters),
    ...name === "assertion" ? { scope } : { issued_token_type: accessTokenType, scope: undefined },
    access_token: await signMockToken(signerOf(exchange), callback, { ...claims, aud }),
  };
}

function bearer({ expiry }: TokenCallback, { form }: MockParameters): Record<string, unknown> {
  const scope = form.get("scope");
  return { token_type: "Bearer", expires_in: expiry, ...scope !== null && { scope } };
}

/** Claims of the sign-in page are added; they replace none of the callback. */
function withAdded(callback: TokenCallback, claims: Record<string, unknown>): TokenCallback {
  return { ...callback, claims: { ...claims, ...callback.claims } };
}

function requireClient({ client }: MockParameters): string {
  if (client !== undefined) return client;
  throw new MockRefusal("invalid_client", "client_id cannot be null");
}

function membersOf({ status, body }: ResponseData): Record<string, unknown> {
  const json = status === 200 && typeof body === "string" ? parseJson(body) : undefined;
  return isObject(json) ? json : {};
}

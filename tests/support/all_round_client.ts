import { decodeJwt } from "jose";
import type { HallpassOptions, TestLab } from "../../src/lab/testing/mod.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { clientAssertionType } from "../../src/server/protocol/client_assertion.ts";
import { makeClientKey } from "./client_key.ts";
import { challenge, testClient, verifier } from "./test_client.ts";
import { hasFeature } from "./where_feature.ts";
import type { ProviderMetadata } from "./wire.ts";

const appOrigin = "https://all-round.example";
/** What signs fast: the client compares no algorithm. */
const alg = "EdDSA";
const key = await makeClientKey(alg);

/** A client that uses whatever a fault can change: metadata, PAR, JARM, signed userinfo, … */
export const allRoundClient: ClientConfig = {
  id: "all-round",
  jwks: { keys: [key.publicJwk] },
  assertionAudience: "token-endpoint",
  redirectUris: [`${appOrigin}/one`, `${appOrigin}/two`],
  ...hasFeature("logout") && { postLogoutRedirectUris: [`${appOrigin}/bye`] },
  ...hasFeature("back-channel logout") && { backchannelLogoutUri: `${appOrigin}/logout` },
  grantTypes: ["authorization_code", "refresh_token"],
  idTokenAlg: alg,
  authorizationResponseAlg: alg,
  userinfoAlg: alg,
};

/** A lab in which every logout token is welcome. */
export const allRoundLab: HallpassOptions = {
  alg,
  clients: [allRoundClient],
  fetch: async () => new Response(),
};

type Metadata = Pick<ProviderMetadata, "token_endpoint">;
type TokenBody = Record<string, string | undefined>;

const client = testClient();

/**
 * Uses everything, and checks nothing: it reads what it needs, and goes on. A test may check the
 * token response.
 */
export async function carelessLogin(
  lab: TestLab,
  checkTokens: (tokens: TokenBody) => void = () => {},
): Promise<void> {
  const browser = lab.browser();
  const metadata = await client.metadata(lab);
  const request_uri = await push(lab, metadata);
  const query = new URLSearchParams({ client_id: allRoundClient.id, request_uri });
  const url = `${metadata.authorization_endpoint}?${query}`;
  const { parameters: { response = "" } } = await browser.authorize(url, { user: "alice" });
  const { code } = decodeJwt<{ code?: string }>(response);
  const tokens = await requestTokens(lab, metadata, {
    grant_type: "authorization_code",
    redirect_uri: allRoundClient.redirectUris?.[0] ?? "",
    code: code ?? "",
    code_verifier: verifier,
  });
  checkTokens(tokens);
  await lab.fetch(`${lab.issuer}/oauth2/jwks`);
  await client.userinfo(lab, String(tokens.access_token));
  await requestTokens(lab, metadata, {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token ?? "",
  });
  await browser.signOut(`${metadata.end_session_endpoint}?${logoutQuery()}`);
}

function logoutQuery(): URLSearchParams {
  return new URLSearchParams({
    client_id: allRoundClient.id,
    post_logout_redirect_uri: allRoundClient.postLogoutRedirectUris?.[0] ?? "",
    state: "s",
  });
}

/** Pushes the authorization request to the lab, whatever the metadata names as its endpoints. */
async function push(lab: TestLab, metadata: Metadata): Promise<string> {
  const response = await post(lab, "/oauth2/par", metadata.token_endpoint, {
    response_type: "code",
    response_mode: "jwt",
    redirect_uri: allRoundClient.redirectUris?.[0] ?? "",
    scope: "openid offline_access",
    prompt: "consent",
    state: "s",
    nonce: "n",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  return (await response.json()).request_uri;
}

async function requestTokens(
  lab: TestLab,
  { token_endpoint }: Metadata,
  fields: Record<string, string>,
): Promise<TokenBody> {
  const response = await post(lab, "/oauth2/token", token_endpoint, fields);
  if (!response.ok) throw new Error(`The token endpoint responded with ${response.status}.`);
  return await response.json();
}

/** The audience of an assertion is what the metadata says (audience injection). */
async function post(
  lab: TestLab,
  path: string,
  audience: string,
  fields: Record<string, string>,
): Promise<Response> {
  const now = Math.floor(lab.clock.now() / 1000);
  const { id } = allRoundClient;
  const claims = { iss: id, sub: id, aud: audience, iat: now, exp: now + 60 };
  const client_assertion = await key.sign({ jti: crypto.randomUUID(), ...claims });
  const own = { client_id: id, client_assertion_type: clientAssertionType, client_assertion };
  const body = new URLSearchParams({ ...fields, ...own });
  return await lab.fetch(`${lab.issuer}${path}`, { method: "POST", body });
}

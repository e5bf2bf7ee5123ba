import { assert, assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { protectedResource } from "../../../src/resource/protected_resource.ts";
import type { Browser } from "../../support/browser.ts";
import { assertionType } from "../../support/client_key.ts";
import { authorizeIn, encode, type Fields, testClient } from "../../support/flow_kit.ts";
import { serverAt } from "../../support/http.ts";
import type { Application } from "./application.ts";

const user = { user: "alice", password: "alice-password" };

/** How the API introspects: as the one configured client. */
export const introspection = {
  clientId: "api",
  clientSecret: "an-api-secret-of-at-least-32-characters",
};

/** The configuration of the server. Its outbound requests may reach the tests on this machine. */
export const config = {
  alg: "ES256",
  clients: [{ id: introspection.clientId, secret: introspection.clientSecret, introspect: "any" }],
  users: [{ name: user.user, password: user.password }],
  registration: { open: true },
  clientMetadataDocuments: true,
  insecure: { privateFetches: true },
};

/** What answers for the API: a URL, or a function of this process. */
export type CallApi = (issuer: string, accessToken: string) => Promise<Response>;

/** Asks the API that is beside a server. */
export const callServedApi: CallApi = (issuer, token) =>
  fetch(`${issuer}/api`, { headers: { Authorization: `Bearer ${token}` } });

/** Asks an API of this process, which introspects at a server that is a program of its own. */
export const callOwnApi: CallApi = async (issuer, token) => {
  const api = protectedResource({
    resource: issuer,
    authorizationServers: [{ issuer, introspection }],
  });
  const headers = { Authorization: `Bearer ${token}` };
  const access = await api.require(new Request(`${issuer}/api`, { headers }));
  return access instanceof Response ? access : Response.json({ subject: access.subject });
};

/** Makes a server send each kind of outbound request that it can, and checks what came of it. */
export async function sendEveryOutboundRequest(
  issuer: string,
  application: Application,
  callApi: CallApi,
): Promise<void> {
  const { origin, requests } = application;

  const byDocument = await tokensOf(issuer, `${origin}/client.json`, application);
  assertEquals(decodeJwt(byDocument.id_token).aud, `${origin}/client.json`);
  assertEquals(requests, ["GET /client.json"]);

  const registered = await registerWithKeys(issuer, origin);
  assertEquals(requests.splice(0).slice(1), ["GET /sector.json"]);
  const browser = serverAt(issuer).browser();
  const tokens = await tokensOf(issuer, registered, application, browser);
  assertEquals(requests, ["GET /keys.json"]);
  const { sub, aud } = decodeJwt(tokens.id_token);
  assertEquals(aud, registered);
  assert(sub !== decodeJwt(byDocument.id_token).sub, "The subject is not pairwise.");

  const response = await callApi(issuer, tokens.access_token);
  assertEquals([response.status, await response.json()], [200, { subject: sub }]);

  await browser.open(`${issuer}/oauth2/logout?${encode({ id_token_hint: tokens.id_token })}`);
  assertEquals(decodeJwt(await application.logoutToken).sub, sub);
  // A JWT that is still valid by itself: only the server knows.
  const refused = await callApi(issuer, tokens.access_token);
  assertEquals([refused.status, (await refused.json()).error], [401, "invalid_token"]);
}

/**
 * Registers a client with a key, whose subjects are pairwise, and which wants to know of logouts.
 */
async function registerWithKeys(issuer: string, origin: string): Promise<string> {
  const response = await fetch(`${issuer}/oauth2/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: "By registration",
      redirect_uris: [`${origin}/callback`],
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: `${origin}/keys.json`,
      subject_type: "pairwise",
      sector_identifier_uri: `${origin}/sector.json`,
      backchannel_logout_uri: `${origin}/logout`,
      backchannel_logout_session_required: true,
    }),
  });
  const body = await response.json();
  assertEquals(response.status, 201, JSON.stringify(body));
  return body.client_id;
}

async function tokensOf(
  issuer: string,
  client_id: string,
  application: Application,
  browser: Browser = serverAt(issuer).browser(),
): Promise<{ id_token: string; access_token: string }> {
  const redirect_uri = `${application.origin}/callback`;
  const client = testClient({ client_id, redirect_uri, scope: "openid" });
  const server = serverAt(issuer);
  const authorize = (url: string) => authorizeIn(browser, url, user);
  const code = await client.code({ ...server, authorize });
  const credentials = await credentialsOf(issuer, client_id, application);
  const { status, body } = await client.redeem(server, code, credentials);
  assertEquals(status, 200, JSON.stringify(body));
  return body;
}

async function credentialsOf(
  issuer: string,
  client_id: string,
  { origin, clientKey }: Application,
): Promise<Fields> {
  if (client_id.startsWith(origin)) return { client_id };
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: client_id, sub: client_id, aud: issuer, iat, exp: iat + 60 };
  return {
    client_assertion_type: assertionType,
    client_assertion: await clientKey.sign({ ...claims, jti: crypto.randomUUID() }),
  };
}

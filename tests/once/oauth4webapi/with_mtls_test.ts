import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";

const issuer = "https://hallpass.test";
const url = "https://mtls.hallpass.test";
const redirectUri = "https://app.example/cb";

/** What each client asks the server for, when it registers. */
const metadata = {
  tls_client_auth: { tls_client_auth_subject_dn: "CN=web" },
  self_signed_tls_client_auth: {},
  none: {},
};

type Method = keyof typeof metadata;

/** A client of the library at a lab, and where its requests went. */
interface LibraryClient {
  lab: TestLab;
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  options: object;
  origins: Set<string>;
}

/** Registers a client that sends its requests over a connection with a certificate. */
async function connect(lab: TestLab, method: Method): Promise<LibraryClient> {
  const { fetch, jwk } = await lab.certificate("web");
  const origins = new Set<string>();
  const options = {
    [oauth.customFetch](url: string, init: object) {
      origins.add(new URL(url).origin);
      return fetch(url, init);
    },
  };
  const response = await oauth.discoveryRequest(new URL(issuer), options);
  const server = await oauth.processDiscoveryResponse(new URL(issuer), response);
  const registration = await oauth.dynamicClientRegistrationRequest(server, {
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: method,
    tls_client_certificate_bound_access_tokens: true,
    ...method === "self_signed_tls_client_auth" && { jwks: { keys: [jwk] } },
    ...metadata[method],
  }, options);
  const { client_id } = await oauth.processDynamicClientRegistrationResponse(registration);
  origins.clear();
  return { lab, server, client: { client_id, use_mtls_endpoint_aliases: true }, options, origins };
}

async function login(
  { lab, server, client, options }: LibraryClient,
  auth: oauth.ClientAuth,
): Promise<oauth.TokenEndpointResponse> {
  const code_verifier = oauth.generateRandomCodeVerifier();
  const parameters = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid offline_access",
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: "S256",
  });
  const { callback } = await lab.authorize(`${server.authorization_endpoint}?${parameters}`, {
    user: "alice",
  });
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    oauth.validateAuthResponse(server, client, new URL(callback ?? ""), oauth.expectNoState),
    redirectUri,
    code_verifier,
    options,
  );
  return await oauth.processAuthorizationCodeResponse(server, client, response);
}

async function userinfo({ server, client, options }: LibraryClient, token: string) {
  const response = await oauth.userInfoRequest(server, client, token, options);
  return await oauth.processUserInfoResponse(server, client, "alice", response);
}

const ways: Array<[method: Method, auth: oauth.ClientAuth]> = [
  ["tls_client_auth", oauth.TlsClientAuth()],
  ["self_signed_tls_client_auth", oauth.TlsClientAuth()],
  ["none", oauth.None()],
];

describe("oauth4webapi with certificates (RFC 8705)", () => {
  for (const [method, auth] of ways) {
    it(`registers, signs in, calls userinfo and refreshes at the aliases, with ${method}`, async () => {
      await using lab = await hallpass({ issuer, mtls: { url }, registration: "open" });
      const own = await connect(lab, method);
      const { access_token, refresh_token = "" } = await login(own, auth);
      assertEquals((await userinfo(own, access_token)).sub, "alice");
      const { server, client, options } = own;
      const { status } = await oauth.refreshTokenGrantRequest(
        server,
        client,
        auth,
        refresh_token,
        options,
      );
      assertEquals(status, 200);
      assertEquals([...own.origins], [url]);
      const other = await connect(lab, method);
      await assertRejects(() => userinfo(other, access_token), oauth.WWWAuthenticateChallengeError);
    });
  }
});

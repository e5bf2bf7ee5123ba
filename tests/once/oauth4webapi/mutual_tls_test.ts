import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { authorities, bound, registered, vouched } from "../../features/mtls/mtls_kit.ts";
import { type CertificateName, derOf } from "../../features/mtls/read_certificates.ts";

const issuer = "https://hallpass.test";
const url = "https://mtls.hallpass.test";
const redirectUri = "https://app.example/cb";

const clients = [
  { ...vouched, certificateBoundTokens: true },
  { ...registered, certificateBoundTokens: true },
  bound,
];

/** A client of the library at a lab, and where its requests went. */
interface LibraryClient {
  lab: TestLab;
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  options: object;
  origins: Set<string>;
}

/** Lets the library send its requests over a connection with a certificate. */
async function connect(
  lab: TestLab,
  client_id: string,
  certificate: CertificateName,
): Promise<LibraryClient> {
  const origins = new Set<string>();
  const options = {
    [oauth.customFetch]: (url: string, init: object) => {
      origins.add(new URL(url).origin);
      const certificates = [derOf(certificate)];
      return lab.fetch(Object.assign(new Request(url, init), { certificates }));
    },
  };
  const response = await oauth.discoveryRequest(new URL(issuer), options);
  const server = await oauth.processDiscoveryResponse(new URL(issuer), response);
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

const ways: Array<[id: string, auth: oauth.ClientAuth, certificate: CertificateName]> = [
  ["vouched", oauth.TlsClientAuth(), "plain"],
  ["registered", oauth.TlsClientAuth(), "by_ed"],
  ["bound", oauth.None(), "plain"],
];

describe("oauth4webapi with certificates (RFC 8705)", () => {
  for (const [id, auth, certificate] of ways) {
    it(`signs in, calls userinfo and refreshes at the aliases, as '${id}'`, async () => {
      await using lab = await hallpass({ issuer, mtls: { url, authorities }, clients });
      const own = await connect(lab, id, certificate);
      const { access_token, refresh_token = "" } = await login(own, auth);
      assertEquals((await userinfo(own, access_token)).sub, "alice");
      const { server, client, options } = own;
      const refresh = () =>
        oauth.refreshTokenGrantRequest(server, client, auth, refresh_token, options);
      assertEquals((await refresh()).status, 200);
      assertEquals([...own.origins], [url]);
      const other = await connect(lab, id, "forged");
      await assertRejects(() => userinfo(other, access_token), oauth.WWWAuthenticateChallengeError);
    });
  }
});

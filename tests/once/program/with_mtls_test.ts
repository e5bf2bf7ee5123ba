import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as client from "openid-client";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { authority, cert, key } from "../../support/certificate.ts";
import { findFreePort } from "../../support/free_port.ts";
import { claimsOf } from "../../support/kit.ts";

const redirectUri = "https://app.example/cb";

const web = {
  id: "web",
  redirectUris: [redirectUri],
  authentication: ["tls_client_auth" as const],
  tlsClientAuthSubjectDn: "CN=web",
  certificateBoundTokens: true,
};

/** Listens with TLS, and on another port with certificates of clients. */
async function listening(act: (lab: TestLab) => Promise<void>): Promise<void> {
  const [port, mtlsPort] = [await findFreePort(), await findFreePort()];
  const url = `https://localhost:${mtlsPort}`;
  const issuer = `https://localhost:${port}`;
  await using lab = await hallpass({ issuer, mtls: { url }, clients: [web] });
  const ports = [
    await serve(lab, { port, cert, key }),
    await serve(lab, { port: mtlsPort, cert, key, requestCert: true }),
  ];
  try {
    await act(lab);
  } finally {
    await Promise.all(ports.map((each) => each.close()));
  }
}

/** Discovers the server, for a client whose connections have a certificate. */
async function discover(lab: TestLab, certificate: object): Promise<client.Configuration> {
  const http = Deno.createHttpClient({ caCerts: [authority], ...certificate });
  return await client.discovery(
    new URL(lab.issuer),
    "web",
    { use_mtls_endpoint_aliases: true },
    client.TlsClientAuth(),
    {
      [client.customFetch]: (url, options) =>
        fetch(url, { ...options as RequestInit, client: http }),
    },
  );
}

/** Signs alice in. */
async function login(lab: TestLab, config: client.Configuration) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const { callback } = await lab.authorize(url.href, { user: "alice" });
  return await client.authorizationCodeGrant(config, new URL(callback), { pkceCodeVerifier });
}

describe("openid-client with certificates, over TLS (RFC 8705)", () => {
  it("signs in, and uses the token that is bound to its certificate", async () => {
    await listening(async (lab) => {
      const { thumbprint, cert, key } = await lab.certificate("web");
      const config = await discover(lab, { cert, key });
      const { access_token } = await login(lab, config);
      const claims: Record<string, unknown> = { ...claimsOf(access_token) };
      assertEquals(claims.cnf, { "x5t#S256": thumbprint });
      const { sub } = await client.fetchUserInfo(config, access_token, client.skipSubjectCheck);
      assertEquals(sub, claims.sub);
      const stranger = await discover(lab, await lab.certificate("other"));
      await assertRejects(() =>
        client.fetchUserInfo(stranger, access_token, client.skipSubjectCheck)
      );
    });
  });

  it("is refused with the certificate of another client, and without one", async () => {
    await listening(async (lab) => {
      for (const certificate of [await lab.certificate("other"), {}]) {
        const config = await discover(lab, certificate);
        const refused = await assertRejects(() => login(lab, config));
        assertEquals((refused as client.ResponseBodyError).status, 401);
      }
    });
  });
});

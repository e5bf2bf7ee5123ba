import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { serverAt } from "../../support/http.ts";
import { createLabServer } from "../../support/lab_server.ts";
import { present } from "../../support/present.ts";

const http = { [oauth.allowInsecureRequests]: true };

/** A lab that truly listens, on the runtime of this test. */
async function withLab(
  act: (issuer: string) => Promise<void>,
  config: Partial<LabConfig> = {},
): Promise<void> {
  const door = { fetch: async (_: Request) => new Response(null, { status: 503 }) };
  const listening = await serve({ fetch: (request) => door.fetch(request) }, { port: 0 });
  const issuer = `http://localhost:${listening.port}`;
  const lab = createLabServer({ issuer, ...config });
  door.fetch = lab.fetch;
  try {
    await act(issuer);
  } finally {
    await listening.close();
    await lab.close();
  }
}

async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, http));
}

/** The whole flow, the way a careful client goes through it. */
async function completeFlow(
  issuer: string,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  DPoP?: oauth.DPoPHandle,
) {
  const as = await discover(issuer);
  const redirectUri = `${issuer}/authorized`;
  const [codeVerifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const url = new URL(as.authorization_endpoint!);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid profile email read",
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
    nonce,
    max_age: "3600",
  }).toString();
  const callback = new URL(await serverAt(issuer).browser().authorize(url.href));
  const parameters = oauth.validateAuthResponse(as, client, callback, state);
  return await withNonce(
    () =>
      oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        parameters,
        redirectUri,
        codeVerifier,
        { ...http, ...DPoP && { DPoP } },
      ),
    async (response) => {
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
        expectedNonce: nonce,
        maxAge: 3600,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(as, response, http);
      return { as, tokens };
    },
  );
}

/**
 * Does it again where the server asked for a nonce, which the library has noted by then (RFC 9449,
 * section 8).
 */
async function withNonce<T>(
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

describe("A client of oauth4webapi, against a server that listens", () => {
  const clients: Array<[id: string, method: string, authentication: oauth.ClientAuth]> = [
    ["demo-spa", "none", oauth.None()],
    ["demo-web", "client_secret_basic", oauth.ClientSecretBasic("demo-web-secret")],
    ["demo-web", "client_secret_post", oauth.ClientSecretPost("demo-web-secret")],
  ];
  for (const [client_id, method, authentication] of clients) {
    it(`completes the flow as ${client_id} with ${method}`, async () => {
      await withLab(async (issuer) => {
        const client = { client_id };
        const { as, tokens } = await completeFlow(issuer, client, authentication);
        const { sub } = oauth.getValidatedIdTokenClaims(tokens)!;
        const userinfo = await oauth.processUserInfoResponse(
          as,
          client,
          sub,
          await oauth.userInfoRequest(as, client, tokens.access_token, http),
        );
        assertEquals([sub, userinfo.email], ["alice", "alice@example.com"]);

        const refreshed = await oauth.refreshTokenGrantRequest(
          as,
          client,
          authentication,
          tokens.refresh_token!,
          http,
        );
        const next = await oauth.processRefreshTokenResponse(as, client, refreshed);
        assertEquals(oauth.getValidatedIdTokenClaims(next)?.sub, "alice");

        const revocation = await oauth.revocationRequest(
          as,
          client,
          authentication,
          next.refresh_token!,
          http,
        );
        await oauth.processRevocationResponse(revocation);
        await revocation.body?.cancel();
        const again = await oauth.refreshTokenGrantRequest(
          as,
          client,
          authentication,
          next.refresh_token!,
          http,
        );
        await assertRejects(
          () => oauth.processRefreshTokenResponse(as, client, again),
          oauth.ResponseBodyError,
        );
      });
    });
  }

  it("gets a token for itself, and introspects it", async () => {
    await withLab(async (issuer) => {
      const as = await discover(issuer);
      const client = { client_id: "demo-service" };
      const authentication = oauth.ClientSecretBasic("demo-service-secret");
      const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, {
        scope: "read write",
      }, http);
      const { access_token } = await oauth.processClientCredentialsResponse(as, client, response);
      const introspection = await oauth.introspectionRequest(
        as,
        client,
        authentication,
        access_token,
        http,
      );
      const { active, scope } = await oauth.processIntrospectionResponse(as, client, introspection);
      assertEquals([active, scope], [true, "read write"]);
    });
  });

  it("verifies an access token as an API does (RFC 9068)", async () => {
    await withLab(async (issuer) => {
      const { as, tokens } = await completeFlow(issuer, { client_id: "demo-spa" }, oauth.None());
      const request = new Request(`${issuer}/api`, {
        headers: { Authorization: `Bearer ${tokens.access_token}` },
      });
      const claims = await oauth.validateJwtAccessToken(as, request, issuer, http);
      assertEquals([claims.sub, claims.client_id], ["alice", "demo-spa"]);
    });
  });

  for (const dpopNonces of [false, true]) {
    it(`binds its tokens to a key by DPoP, ${dpopNonces ? "with" : "without"} nonces`, async () => {
      await withLab(async (issuer) => {
        const client: oauth.Client = { client_id: "demo-spa" };
        const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
        const { as, tokens } = await completeFlow(issuer, client, oauth.None(), DPoP);
        assertEquals(tokens.token_type, "dpop");

        const userinfo = await withNonce(
          () => oauth.userInfoRequest(as, client, tokens.access_token, { ...http, DPoP }),
          async (response) => {
            return await oauth.processUserInfoResponse(as, client, "alice", response);
          },
        );
        assertEquals(userinfo.sub, "alice");

        const refreshed = await withNonce(
          () =>
            oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, {
              ...http,
              DPoP,
            }),
          (response) => oauth.processRefreshTokenResponse(as, client, response),
        );
        assertEquals(refreshed.token_type, "dpop");
      }, { dpopNonces });
    });
  }

  for (const method of ["none", "client_secret_basic", "client_secret_jwt"]) {
    it(`registers itself, and completes the flow with ${method}`, async () => {
      await withLab(async (issuer) => {
        const as = await discover(issuer);
        const metadata = {
          redirect_uris: [`${issuer}/authorized`],
          token_endpoint_auth_method: method,
          grant_types: ["authorization_code", "refresh_token"],
          default_max_age: 3600,
        };
        const response = await oauth.dynamicClientRegistrationRequest(as, metadata, http);
        const client = await oauth.processDynamicClientRegistrationResponse(response);
        const secret = String(client.client_secret);
        const ways: Record<string, () => oauth.ClientAuth> = {
          none: () => oauth.None(),
          client_secret_basic: () => oauth.ClientSecretBasic(secret),
          client_secret_jwt: () => oauth.ClientSecretJwt(secret),
        };
        const { tokens } = await completeFlow(issuer, client, present(ways[method])());
        assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.aud, client.client_id);
      });
    });
  }

  it("finds the metadata of RFC 8414 as well", async () => {
    await withLab(async (issuer) => {
      const url = new URL(issuer);
      const as = await oauth.processDiscoveryResponse(
        url,
        await oauth.discoveryRequest(url, { ...http, algorithm: "oauth2" }),
      );
      assertEquals(as.issuer, issuer);
    });
  });
});

import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import type { ClientConfig } from "../../../src/server/features.ts";
import { type ClientKey, makeClientKey } from "../../support/client_key.ts";
import { type Kit, openKit } from "../../support/kit.ts";

const client: oauth.Client = { client_id: "app" };
const redirectUri = "https://hallpass.test/authorized";
const secret = "a-secret-that-is-long-enough-for-hmac";

/**
 * Everything that a careful client needs to talk to a kit, on the clock of the machine: the library
 * has no other.
 */
async function open(changes: Partial<ClientConfig>) {
  const kit = openKit({
    now: undefined,
    clients: [{
      id: "app",
      redirectUris: [redirectUri],
      grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
      ...changes,
    }],
  });
  const options = {
    [oauth.customFetch]: (url: string, init: object) => kit.server.fetch(new Request(url, init)),
  };
  const issuer = new URL(kit.issuer);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, options),
  );
  return { kit, as, options };
}

function parameters(codeChallenge: string, changes: Record<string, string> = {}) {
  return new URLSearchParams({
    client_id: "app",
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid read",
    state: "a-state",
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...changes,
  });
}

/** Goes from the authorization URL to the tokens, the way of a careful client. */
async function complete(
  { kit, as, options }: { kit: Kit; as: oauth.AuthorizationServer; options: object },
  authentication: oauth.ClientAuth,
  codeVerifier: string,
  query: URLSearchParams,
  validate: (callback: URL) => URLSearchParams | Promise<URLSearchParams>,
): Promise<oauth.TokenEndpointResponse> {
  const callback = new URL(await kit.browser().authorize(`${as.authorization_endpoint}?${query}`));
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    await validate(callback),
    redirectUri,
    codeVerifier,
    options,
  );
  return await oauth.processAuthorizationCodeResponse(as, client, response, {
    requireIdToken: true,
  });
}

function signerOf({ publicJwk, privateKey }: ClientKey): oauth.PrivateKey {
  return publicJwk.kid === undefined
    ? { key: privateKey }
    : { key: privateKey, kid: publicJwk.kid };
}

describe("oauth4webapi", () => {
  for (const alg of ["ES256", "PS256", "RS256", "Ed25519"]) {
    it(`authenticates by private_key_jwt with ${alg}`, async () => {
      const key = await makeClientKey(alg, "k");
      const { as, options } = await open({ jwks: { keys: [key.publicJwk] } });
      const authentication = oauth.PrivateKeyJwt(signerOf(key));
      const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, {
        scope: "read",
      }, options);
      const { access_token } = await oauth.processClientCredentialsResponse(as, client, response);
      const introspection = await oauth.introspectionRequest(
        as,
        client,
        authentication,
        access_token,
        options,
      );
      assertEquals(
        (await oauth.processIntrospectionResponse(as, client, introspection)).active,
        true,
      );
    });
  }

  it("authenticates by client_secret_jwt", async () => {
    const { as, options } = await open({ secret, authentication: ["client_secret_jwt"] });
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      oauth.ClientSecretJwt(secret),
      { scope: "read" },
      options,
    );
    assertEquals(
      (await oauth.processClientCredentialsResponse(as, client, response)).token_type,
      "bearer",
    );
  });

  it("pushes a signed request, and is answered by a signed response", async () => {
    const key = await makeClientKey("ES256", "k");
    const server = await open({
      jwks: { keys: [key.publicJwk] },
      requirePar: true,
      requireSignedRequest: true,
      authorizationResponseAlg: "ES256",
    });
    const { as, options } = server;
    const authentication = oauth.PrivateKeyJwt(signerOf(key));
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const asked = parameters(await oauth.calculatePKCECodeChallenge(codeVerifier), {
      response_mode: "jwt",
    });
    const request = await oauth.issueRequestObject(as, client, asked, signerOf(key));
    const pushed = await oauth.pushedAuthorizationRequest(as, client, authentication, {
      client_id: "app",
      request,
    }, options);
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
    const query = new URLSearchParams({ client_id: "app", request_uri });
    const told: oauth.Client = { ...client, authorization_signed_response_alg: "ES256" };
    const validate = (callback: URL) =>
      oauth.validateJwtAuthResponse(as, told, callback, "a-state", options);
    const tokens = await complete(server, authentication, codeVerifier, query, validate);
    assertEquals(tokens.scope, "openid read");
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "alice");
  });

  it("signs a request without pushing it", async () => {
    const key = await makeClientKey("PS256", "k");
    const server = await open({ jwks: { keys: [key.publicJwk] } });
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const asked = parameters(await oauth.calculatePKCECodeChallenge(codeVerifier));
    const request = await oauth.issueRequestObject(server.as, client, asked, signerOf(key));
    const validate = (callback: URL) =>
      oauth.validateAuthResponse(server.as, client, callback, "a-state");
    const query = new URLSearchParams({ client_id: "app", request });
    const tokens = await complete(
      server,
      oauth.PrivateKeyJwt(signerOf(key)),
      codeVerifier,
      query,
      validate,
    );
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "alice");
  });

  it("binds the code to a key by the proof of the request that it pushes (RFC 9449, section 10.1)", async () => {
    const server = await open({ authentication: ["none"], grantTypes: ["authorization_code"] });
    const { as, options, kit } = server;
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const asked = parameters(await oauth.calculatePKCECodeChallenge(codeVerifier));
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
    const pushed = await oauth.pushedAuthorizationRequest(as, client, oauth.None(), asked, {
      ...options,
      DPoP,
    });
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
    const url = `${as.authorization_endpoint}?${new URLSearchParams({
      client_id: "app",
      request_uri,
    })}`;
    const callback = oauth.validateAuthResponse(
      as,
      client,
      new URL(await kit.browser().authorize(url)),
      "a-state",
    );
    const redeem = async (more: object) =>
      await oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(
          as,
          client,
          oauth.None(),
          callback,
          redirectUri,
          codeVerifier,
          { ...options, ...more },
        ),
      );
    await assertRejects(() => redeem({}), oauth.ResponseBodyError);
    await assertRejects(
      async () => await redeem({ DPoP: oauth.DPoP(client, await oauth.generateKeyPair("ES256")) }),
      oauth.ResponseBodyError,
    );
    assertEquals((await redeem({ DPoP })).token_type, "dpop");
  });
});

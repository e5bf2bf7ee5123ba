import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { discover, login, options } from "./library_login.ts";

describe("A client library that knows nothing of the lab", () => {
  it("signs a user in hands-free: one request brings the code", async () => {
    await using lab = await hallpass({ signIn: "bob" });
    const server = await discover(lab);
    const client: oauth.Client = { client_id: "demo-spa" };
    const redirectUri = `${lab.issuer}/authorized`;
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = oauth.generateRandomNonce();
    const url = new URL(server.authorization_endpoint ?? "");
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: "openid email",
      prompt: "none",
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const { headers } = await lab.fetch(url, { redirect: "manual" });
    const callback = oauth.validateAuthResponse(
      server,
      client,
      new URL(headers.get("Location") ?? ""),
      oauth.expectNoState,
    );
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      callback,
      redirectUri,
      verifier,
      options(lab),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
    });
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "bob");
    lab.assertClean();
  });

  it("accepts tokens that hooks have changed, because the server's key signs them", async () => {
    await using lab = await hallpass();
    lab.on("token", ({ claims }) => void (claims.roles = ["admin"]));
    lab.on("id_token", ({ claims }) => void (claims.roles = ["admin"]));
    const { tokens } = await login(lab);
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.roles, ["admin"]);
  });

  it("redeems a code and a refresh token that the lab never issued, by anyGrant", async () => {
    const anyGrant = { user: "alice", scopes: ["openid", "read"] };
    await using lab = await hallpass({ anyGrant, anyScope: true });
    const server = await discover(lab);
    const client: oauth.Client = { client_id: "demo-spa" };
    const callback = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code: "a-code-of-a-fixture", iss: lab.issuer }),
      oauth.expectNoState,
    );
    const redeemed = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        callback,
        `${lab.issuer}/authorized`,
        oauth.generateRandomCodeVerifier(),
        options(lab),
      ),
      { requireIdToken: true },
    );
    assertEquals(oauth.getValidatedIdTokenClaims(redeemed)?.sub, "alice");
    const refresh = async (token: string, scope?: string) =>
      await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, {
          ...options(lab),
          ...scope && { additionalParameters: { scope } },
        }),
      );
    const { refresh_token = "", scope } = await refresh("a-refresh-token-of-a-fixture");
    assertEquals(scope, "openid read");
    assertEquals(
      (await refresh(refresh_token, "api://orders/.default")).scope,
      "api://orders/.default",
    );
    await assertRejects(() => refresh(refresh_token), oauth.ResponseBodyError);
  });

  it("registers a service that gets tokens for itself, where the lab lists the grant", async () => {
    const registration = { open: true, allow: { grantTypes: ["client_credentials"] } };
    await using lab = await hallpass({ registration });
    const server = await discover(lab);
    const metadata = { grant_types: ["client_credentials"], response_types: [], scope: "read" };
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, metadata, options(lab)),
    );
    const { scope } = await oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(
        server,
        client,
        oauth.ClientSecretBasic(String(client.client_secret)),
        new URLSearchParams(),
        options(lab),
      ),
    );
    assertEquals(scope, "read");
  });

  it("authenticates an unknown client by its key, by anyClient", async () => {
    await using lab = await hallpass({ anyClient: true });
    const server = await discover(lab);
    const { privateKey } = await oauth.generateKeyPair("ES256");
    const client: oauth.Client = { client_id: "newcomer" };
    const grant = async (authentication: oauth.ClientAuth) =>
      await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(
          server,
          client,
          authentication,
          new URLSearchParams({ scope: "read" }),
          options(lab),
        ),
      );
    assertEquals((await grant(oauth.PrivateKeyJwt(privateKey))).scope, "read");
    assertEquals((await grant(oauth.PrivateKeyJwt(privateKey))).scope, "read");
    await assertRejects(
      () => grant(oauth.ClientSecretPost("a-secret")),
      oauth.WWWAuthenticateChallengeError,
    );
  });

  it("reads an ID token from the fragment of a redirect with the status 302", async () => {
    await using lab = await hallpass({
      responseTypes: ["code", "code id_token", "fragment"],
      redirectStatus: 302,
      signIn: "alice",
    });
    const server = await discover(lab);
    const client: oauth.Client = { client_id: "demo-spa" };
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const query = new URLSearchParams({
      response_type: "code id_token",
      client_id: client.client_id,
      redirect_uri: `${lab.issuer}/authorized`,
      scope: "openid",
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: "S256",
    });
    const url = `${server.authorization_endpoint}?${query}`;
    const { status, headers } = await lab.fetch(url, { redirect: "manual" });
    assertEquals(status, 302);
    const parameters = await oauth.validateCodeIdTokenResponse(
      server,
      client,
      new URL(headers.get("Location") ?? ""),
      nonce,
      state,
      undefined,
      options(lab),
    );
    assertEquals(typeof parameters.get("code"), "string");
  });

  it("validates the response type code id_token: signature, nonce and c_hash", async () => {
    await using lab = await hallpass({ responseTypes: ["code", "code id_token"], signIn: "alice" });
    const server = await discover(lab);
    assertEquals(server.response_types_supported, ["code", "code id_token"]);
    const client: oauth.Client = { client_id: "demo-spa" };
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const query = new URLSearchParams({
      response_type: "code id_token",
      response_mode: "form_post",
      client_id: client.client_id,
      redirect_uri: `${lab.issuer}/authorized`,
      scope: "openid email",
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: "S256",
    });
    const url = `${server.authorization_endpoint}?${query}`;
    const { callback, parameters } = await lab.authorize(url);
    const post = (changes: Record<string, string>) =>
      new Request(callback, {
        method: "POST",
        body: new URLSearchParams({ ...parameters, ...changes }),
      });
    const validate = (request: Request) =>
      oauth.validateCodeIdTokenResponse(
        server,
        client,
        request,
        nonce,
        state,
        undefined,
        options(lab),
      );
    assertEquals((await validate(post({}))).get("code"), parameters.code);
    await assertRejects(() => validate(post({ code: "another-code" })));
  });
});

import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { login, openLibrary } from "./library_login.ts";

describe("A client library that knows nothing of the lab", () => {
  it("signs a user in hands-free: one request brings the code", async () => {
    await using lab = await hallpass({ signIn: "bob" });
    const library = await openLibrary(lab);
    const begun = await library.begin({ scope: "openid email", prompt: "none" });
    const { headers } = await lab.fetch(begun.url, { redirect: "manual" });
    const tokens = await library.finish(headers.get("Location") ?? "", begun);
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
    const { validate, redeem, refresh } = await openLibrary(lab);
    const callback = new URLSearchParams({ code: "a-code-of-a-fixture", iss: lab.issuer });
    const parameters = validate(`https://app.example/?${callback}`, oauth.expectNoState);
    const checks = { requireIdToken: true };
    const redeemed = await redeem(parameters, oauth.generateRandomCodeVerifier(), { checks });
    assertEquals(oauth.getValidatedIdTokenClaims(redeemed)?.sub, "alice");
    const { refresh_token = "", scope } = await refresh("a-refresh-token-of-a-fixture");
    assertEquals(scope, "openid read");
    const wider = { scope: "api://orders/.default" };
    assertEquals((await refresh(refresh_token, wider)).scope, "api://orders/.default");
    await assertRejects(() => refresh(refresh_token), oauth.ResponseBodyError);
  });

  it("registers a service that gets tokens for itself, where the lab lists the grant", async () => {
    const registration = { open: true, allow: { grantTypes: ["client_credentials"] } };
    await using lab = await hallpass({ registration });
    const metadata = { grant_types: ["client_credentials"], response_types: [], scope: "read" };
    const client = await (await openLibrary(lab)).register(metadata);
    const auth = oauth.ClientSecretBasic(String(client.client_secret));
    const { clientCredentials } = await openLibrary(lab, { client, auth });
    assertEquals((await clientCredentials({})).scope, "read");
  });

  it("authenticates an unknown client by its key, by anyClient", async () => {
    await using lab = await hallpass({ anyClient: true });
    const { privateKey } = await oauth.generateKeyPair("ES256");
    const grant = async (auth: oauth.ClientAuth) =>
      await (await openLibrary(lab, { client: "newcomer", auth })).clientCredentials({
        scope: "read",
      });
    assertEquals((await grant(oauth.PrivateKeyJwt(privateKey))).scope, "read");
    assertEquals((await grant(oauth.PrivateKeyJwt(privateKey))).scope, "read");
    const bySecret = () => grant(oauth.ClientSecretPost("a-secret"));
    await assertRejects(bySecret, oauth.WWWAuthenticateChallengeError);
  });

  it("reads an ID token from the fragment of a redirect with the status 302", async () => {
    await using lab = await hallpass({
      responseTypes: ["code", "code id_token", "fragment"],
      redirectStatus: 302,
      signIn: "alice",
    });
    const { server, client, options, begin } = await openLibrary(lab);
    const { url, state, nonce } = await begin({ response_type: "code id_token", scope: "openid" });
    const { status, headers } = await lab.fetch(url, { redirect: "manual" });
    assertEquals(status, 302);
    const callback = new URL(headers.get("Location") ?? "");
    const parameters = await oauth.validateCodeIdTokenResponse(
      ...[server, client, callback, nonce, state, undefined, options] as const,
    );
    assertEquals(typeof parameters.get("code"), "string");
  });

  it("validates the response type code id_token: signature, nonce and c_hash", async () => {
    await using lab = await hallpass({ responseTypes: ["code", "code id_token"], signIn: "alice" });
    const { server, client, options, begin } = await openLibrary(lab);
    assertEquals(server.response_types_supported, ["code", "code id_token"]);
    const { url, state, nonce } = await begin({
      response_type: "code id_token",
      response_mode: "form_post",
      scope: "openid email",
    });
    const { callback, parameters } = await lab.authorize(url);
    const post = (changes: Record<string, string>) => {
      const body = new URLSearchParams({ ...parameters, ...changes });
      return new Request(callback, { method: "POST", body });
    };
    const validate = (request: Request) =>
      oauth.validateCodeIdTokenResponse(
        ...[server, client, request, nonce, state, undefined, options] as const,
      );
    assertEquals((await validate(post({}))).get("code"), parameters.code);
    await assertRejects(() => validate(post({ code: "another-code" })));
  });
});

import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { login, openLibrary } from "./library_login.ts";

const api = "https://api.example";

/** Verifies an access token as an API does (RFC 9068, section 4). */
async function validate(lab: TestLab, accessToken: string): Promise<oauth.JWTAccessTokenClaims> {
  const request = new Request(api, { headers: { Authorization: `Bearer ${accessToken}` } });
  const { server, options } = await openLibrary(lab);
  return await oauth.validateJwtAccessToken(server, request, api, options);
}

describe("Claims about users in the eyes of oauth4webapi", () => {
  it("are in the ID token, the access token and userinfo, where a scope opens them", async () => {
    await using lab = await hallpass();
    const { userinfo, tokens, claims } = await login(lab, { scope: "openid email groups read" });
    assertEquals([claims?.email, claims?.groups], ["alice@example.com", ["admins", "staff"]]);
    assertEquals((await userinfo(tokens.access_token)).groups, ["admins", "staff"]);
    const { token } = await lab.mint({ sub: "alice", scope: "groups read", audience: api });
    assertEquals((await validate(lab, token)).groups, ["admins", "staff"]);
  });

  it("come in access tokens that it takes as at+jwt and refuses as JWT (RFC 9068, section 2.1)", async () => {
    await using lab = await hallpass();
    const { token } = await lab.mint({ sub: "alice", scope: "read", audience: api });
    assertEquals((await validate(lab, token)).sub, "alice");
    await using other = await hallpass({ accessTokenType: "JWT", resources: [api] });
    const minted = await other.mint({ sub: "alice", scope: "read", audience: api });
    await assertRejects(() => validate(other, minted.token), oauth.OperationProcessingError);
  });

  it("are in tokens that a key of one's own signed", async () => {
    const { privateKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      true,
      ["sign", "verify"],
    );
    const jwk = await crypto.subtle.exportKey("jwk", privateKey);
    await using lab = await hallpass({
      alg: "ES256",
      signingKeys: [{ jwk: { ...jwk, kty: "EC" }, kid: "my-key" }],
    });
    const { token } = await lab.mint({ sub: "alice", scope: "groups", audience: api });
    assertEquals((await validate(lab, token)).groups, ["admins", "staff"]);
  });
});

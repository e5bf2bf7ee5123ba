import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import * as openid from "openid-client";
import { redirectUri } from "./app.ts";

const grantTypes = ["authorization_code", "refresh_token"];
const clients = [{ id: "web", redirectUris: [redirectUri], grantTypes }];
const login = { kind: "code", user: "alice", client: "web", scope: "openid profile" } as const;

it("gets the codes and tokens that the suite expects", async () => {
  await using lab = await hallpass({ clients });
  lab.values({ code: "abc", accessToken: ["first-token", "second-token"], refreshToken: "R1" });
  const customFetch = { [openid.customFetch]: lab.fetch };
  const none = openid.None();
  const config = await openid.discovery(new URL(lab.issuer), "web", undefined, none, customFetch);
  const { callback, code_verifier } = await lab.mint({ ...login, scope: "openid offline_access" });
  assert.equal(new URL(callback).searchParams.get("code"), "abc");
  const checks = { pkceCodeVerifier: code_verifier };
  const first = await openid.authorizationCodeGrant(config, new URL(callback), checks);
  const second = await openid.refreshTokenGrant(config, "R1");
  assert.deepEqual([first.access_token, second.access_token], ["first-token", "second-token"]);
  await openid.tokenRevocation(config, "R1");
  await assert.rejects(openid.fetchUserInfo(config, "second-token", "alice"));
});

it("begins at the callback", async () => {
  await using lab = await hallpass({ clients });
  const customFetch = { [openid.customFetch]: lab.fetch };
  const none = openid.None();
  const config = await openid.discovery(new URL(lab.issuer), "web", undefined, none, customFetch);
  const { callback, code_verifier } = await lab.mint({ ...login, state: "s1", nonce: "n1" });
  const tokens = await openid.authorizationCodeGrant(config, new URL(callback), {
    pkceCodeVerifier: code_verifier,
    expectedState: "s1",
    expectedNonce: "n1",
  });
  assert.equal(tokens.claims()?.sub, "alice");
});

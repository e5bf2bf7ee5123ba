import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as openid from "openid-client";

test("Alice signs in, and the login breaks no rule", async () => {
  const redirect_uri = "http://localhost:3000/callback";
  const lab = await hallpass({ clients: [{ id: "web", redirectUris: [redirect_uri] }] });

  // What your application does.
  const options = { [openid.customFetch]: lab.fetch };
  const server = new URL(lab.issuer);
  const config = await openid.discovery(server, "web", undefined, openid.None(), options);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: "openid",
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });

  // What the browser and the user do.
  const { callback } = await lab.authorize(url.href, { user: "alice" });
  lab.assertClean({ refused: true }); // explains each request that was refused

  const checks = { pkceCodeVerifier, expectedState };
  const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks);
  assert.equal(tokens.claims().sub, "alice");
  lab.assertClean({ refused: true }); // names each rule that the client broke as well
  await lab.close();
});

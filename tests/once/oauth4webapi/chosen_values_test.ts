import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { login, openLibrary } from "./library_login.ts";

const it = itWith({ inLab: hallpass });

/** Asks the lab about a token, as an API does. */
async function introspect(lab: TestLab, token: string) {
  const auth = oauth.ClientSecretBasic("demo-service-secret");
  return await (await openLibrary(lab, { client: "demo-service", auth })).introspect(token);
}

describe("A client library, with the values that a test chose", () => {
  it.inLab("signs in, refreshes, is introspected and revokes", async (lab) => {
    lab.values({
      code: "abc",
      accessToken: ["first-token", "second-token"],
      refreshToken: "R1",
      client: "demo-spa",
    });
    const { tokens, claims, refresh, revoke } = await login(lab, {
      scope: "openid offline_access read",
    });
    assertEquals([tokens.access_token, tokens.refresh_token], ["first-token", "R1"]);
    assertEquals(claims?.sub, "alice");
    const refreshed = await refresh("R1");
    assertEquals([refreshed.access_token, refreshed.refresh_token], ["second-token", "R1"]);
    const { active, sub, client_id } = await introspect(lab, "second-token");
    assertEquals([active, sub, client_id], [true, "alice", "demo-spa"]);
    await revoke("R1");
    assertEquals((await introspect(lab, "second-token")).active, false);
    const error = await assertRejects(() => refresh("R1"), oauth.ResponseBodyError);
    assertEquals((error as oauth.ResponseBodyError).error, "invalid_grant");
    lab.assertClean();
  });

  it.inLab("signs two users in with the same values; the later one has them", async (lab) => {
    lab.values({ code: "abc", accessToken: "the-token" });
    const alice = await login(lab, { user: "alice" });
    const bob = await login(lab, { user: "bob" });
    assertEquals([alice.claims?.sub, bob.claims?.sub], ["alice", "bob"]);
    assertEquals((await introspect(lab, "the-token")).sub, "bob");
    lab.assertClean();
  });

  it.inLab("loses a chosen token when its time is over", async (lab) => {
    lab.values({ accessToken: "header.like.token" });
    const { userinfo } = await login(lab);
    lab.clock.advance("61m");
    const expired = () => userinfo("header.like.token");
    const refused = await assertRejects(expired, oauth.WWWAuthenticateChallengeError);
    assertEquals((refused as oauth.WWWAuthenticateChallengeError).status, 401);
  });

  it.inLab("begins at the callback, with a code that no authorization request brought", async (lab) => {
    const library = await openLibrary(lab);
    const { verifier, state, nonce } = await library.begin();
    const { callback, redirect_uri } = await lab.mint({
      kind: "code",
      user: "alice",
      client: "demo-spa",
      scope: "openid profile",
      codeChallenge: await oauth.calculatePKCECodeChallenge(verifier),
      nonce,
      state,
    });
    const parameters = library.validate(callback, state);
    const { redeem: redeemCode } = await openLibrary(lab, { redirectUri: redirect_uri });
    const checks = { expectedNonce: nonce, requireIdToken: true };
    const redeem = () => redeemCode(parameters, verifier, { checks });
    assertEquals(oauth.getValidatedIdTokenClaims(await redeem())?.sub, "alice");
    lab.assertClean();
    const error = await assertRejects(redeem, oauth.ResponseBodyError);
    assertEquals((error as oauth.ResponseBodyError).error, "invalid_grant");
  });

  it.inLab("registers under the id and with the secret that a test chose", async (lab) => {
    lab.values({ clientId: "s6BhdRkqt3", clientSecret: "a-secret-that-the-suite-knows" });
    const metadata = { redirect_uris: ["https://app.example/callback"], scope: "openid" };
    const registered = await (await openLibrary(lab)).register(metadata);
    assertEquals(registered.client_id, "s6BhdRkqt3");
    assertEquals(registered.client_secret, "a-secret-that-the-suite-knows");
  });
});

import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { discover, type LoggedIn, login, options, refresh } from "./library_login.ts";

const it = itWith({ inLab: hallpass });

/** Asks the lab about a token, as an API does. */
async function introspect(lab: TestLab, { server }: LoggedIn, token: string) {
  const api: oauth.Client = { client_id: "demo-service" };
  const auth = oauth.ClientSecretBasic("demo-service-secret");
  const response = await oauth.introspectionRequest(server, api, auth, token, options(lab));
  return await oauth.processIntrospectionResponse(server, api, response);
}

describe("A client library, with the values that a test chose", () => {
  it.inLab("signs in, refreshes, is introspected and revokes", async (lab) => {
    lab.values({
      code: "abc",
      accessToken: ["first-token", "second-token"],
      refreshToken: "R1",
      client: "demo-spa",
    });
    const session = await login(lab, { scope: "openid offline_access read" });
    assertEquals(session.tokens.access_token, "first-token");
    assertEquals(session.tokens.refresh_token, "R1");
    assertEquals(session.claims?.sub, "alice");
    const refreshed = await refresh(lab, session, "R1");
    assertEquals([refreshed.access_token, refreshed.refresh_token], ["second-token", "R1"]);
    const described = await introspect(lab, session, "second-token");
    assertEquals(described.active, true);
    assertEquals(described.sub, "alice");
    assertEquals(described.client_id, "demo-spa");

    const { server, client } = session;
    const revocation = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      "R1",
      options(lab),
    );
    await oauth.processRevocationResponse(revocation);
    assertEquals((await introspect(lab, session, "second-token")).active, false);
    const error = await assertRejects(() => refresh(lab, session, "R1"), oauth.ResponseBodyError);
    assertEquals((error as oauth.ResponseBodyError).error, "invalid_grant");
    lab.assertClean();
  });

  it.inLab("signs two users in with the same values; the later one has them", async (lab) => {
    lab.values({ code: "abc", accessToken: "the-token" });
    const alice = await login(lab, { user: "alice" });
    const bob = await login(lab, { user: "bob" });
    assertEquals([alice.claims?.sub, bob.claims?.sub], ["alice", "bob"]);
    assertEquals((await introspect(lab, bob, "the-token")).sub, "bob");
    lab.assertClean();
  });

  it.inLab("loses a chosen token when its time is over", async (lab) => {
    lab.values({ accessToken: "header.like.token" });
    const { server, client } = await login(lab);
    lab.clock.advance("61m");
    const userinfo = await oauth.userInfoRequest(server, client, "header.like.token", options(lab));
    assertEquals(userinfo.status, 401);
  });

  it.inLab("begins at the callback, with a code that no authorization request brought", async (lab) => {
    const server = await discover(lab);
    const client: oauth.Client = { client_id: "demo-spa" };
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const { callback, redirect_uri } = await lab.mint({
      kind: "code",
      user: "alice",
      client: client.client_id,
      scope: "openid profile",
      codeChallenge: await oauth.calculatePKCECodeChallenge(verifier),
      nonce,
      state,
    });
    const parameters = oauth.validateAuthResponse(server, client, new URL(callback), state);
    const redeem = async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirect_uri,
        verifier,
        options(lab),
      );
      return await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
    };
    assertEquals(oauth.getValidatedIdTokenClaims(await redeem())?.sub, "alice");
    lab.assertClean();
    const error = await assertRejects(redeem, oauth.ResponseBodyError);
    assertEquals((error as oauth.ResponseBodyError).error, "invalid_grant");
  });

  it.inLab("registers under the id and with the secret that a test chose", async (lab) => {
    lab.values({ clientId: "s6BhdRkqt3", clientSecret: "a-secret-that-the-suite-knows" });
    const server = await discover(lab);
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: ["https://app.example/callback"], scope: "openid" },
      options(lab),
    );
    const registered = await oauth.processDynamicClientRegistrationResponse(response);
    assertEquals(registered.client_id, "s6BhdRkqt3");
    assertEquals(registered.client_secret, "a-secret-that-the-suite-knows");
  });
});

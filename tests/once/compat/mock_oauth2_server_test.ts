import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { MockOAuth2Server } from "../../../src/lab/compat/mock_oauth2_server/mod.ts";

const client: oauth.Client = { client_id: "web" };
const redirectUri = "https://app.example/callback";

describe("oauth4webapi, which checks every response", () => {
  it("signs in at an issuer of the first path segment, refreshes, and calls userinfo", async () => {
    const server = new MockOAuth2Server();
    await server.start();
    try {
      server.enqueueCallback({ issuerId: "aad", subject: "foo", claims: { acr: "Level4" } });
      const options = { [oauth.allowInsecureRequests]: true };
      const issuer = new URL(server.issuerUrl("aad"));
      const metadata = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, options),
      );
      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const query = new URLSearchParams({
        ...client as { client_id: string },
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid",
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      const url = `${metadata.authorization_endpoint}?${query}`;
      const redirect = await fetch(url, { redirect: "manual" });
      const callback = new URL(redirect.headers.get("Location") ?? "");
      const parameters = oauth.validateAuthResponse(metadata, client, callback, state);
      const redeemed = await oauth.authorizationCodeGrantRequest(
        metadata,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, redeemed, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(metadata, redeemed, options);
      assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.acr, "Level4");
      const userinfo = await oauth.userInfoRequest(metadata, client, tokens.access_token, options);
      const claims = await oauth.processUserInfoResponse(metadata, client, "foo", userinfo);
      assertEquals(claims.acr, "Level4");
      const refreshing = await oauth.refreshTokenGrantRequest(
        metadata,
        client,
        oauth.None(),
        tokens.refresh_token ?? "",
        options,
      );
      const refreshed = await oauth.processRefreshTokenResponse(metadata, client, refreshing);
      assertEquals(oauth.getValidatedIdTokenClaims(refreshed)?.sub, "foo");
      server.lab.assertClean({ refused: true });
    } finally {
      await server.shutdown();
    }
  });
});

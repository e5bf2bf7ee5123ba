import { assert, assertEquals, assertRejects } from "@std/assert";
import { CodeChallengeMethod, OAuth2Client } from "google-auth-library";
import { createPublicKey } from "node:crypto";
import { describe, it } from "node:test";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";

/** The library as an application makes it, at the lab in place of Google. */
function clientFor({ issuer }: TestLab): OAuth2Client {
  return new OAuth2Client({
    clientId: webClient.id,
    clientSecret: webClient.secret ?? "",
    redirectUri: callback,
    endpoints: {
      oauth2AuthBaseUrl: `${issuer}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${issuer}/token`,
    },
    issuers: [issuer],
  });
}

/** The keys of the lab, as the library takes them: by their ids, in PEM. */
async function keysOf(lab: TestLab): Promise<Record<string, string>> {
  const { keys } = await (await lab.fetch(`${lab.issuer}/oauth2/v3/certs`)).json();
  return Object.fromEntries(keys.map((jwk: { kid: string }) => [
    jwk.kid,
    createPublicKey({ key: jwk as never, format: "jwk" }).export({ type: "spki", format: "pem" }),
  ]));
}

describe("google-auth-library, with nothing changed but the URLs", () => {
  it("signs in, verifies the ID token and refreshes", async () => {
    await using lab = await openProvider("google", { listen: true });
    const client = clientFor(lab);
    const { codeVerifier, codeChallenge = "" } = await client.generateCodeVerifierAsync();
    const url = client.generateAuthUrl({
      access_type: "offline",
      scope: ["openid", "email", "profile"],
      code_challenge: codeChallenge,
      code_challenge_method: CodeChallengeMethod.S256,
    });
    const { tokens } = await client.getToken({ code: await codeAt(lab, url), codeVerifier });
    const ticket = await client.verifySignedJwtWithCertsAsync(
      tokens.id_token ?? "",
      await keysOf(lab),
      webClient.id,
      [lab.issuer],
    );
    const payload = ticket.getPayload();
    assertEquals([payload?.email, payload?.email_verified], ["alice@example.com", true]);
    client.setCredentials(tokens);
    const refreshed = await client.refreshAccessToken();
    assert(refreshed.credentials.access_token !== tokens.access_token);
    assertEquals(refreshed.credentials.refresh_token, tokens.refresh_token);
  });

  it("gets no refresh token without access_type=offline, and reads the error of a wrong code", async () => {
    await using lab = await openProvider("google", { listen: true });
    const client = clientFor(lab);
    const url = client.generateAuthUrl({ scope: "openid" });
    const { tokens } = await client.getToken(await codeAt(lab, url));
    assertEquals(tokens.refresh_token, undefined);
    const error = await assertRejects(() => client.getToken("4/0wrong"));
    assertEquals((error as { response?: { data?: unknown } }).response?.data, {
      error: "invalid_grant",
      error_description: "Bad Request",
    });
  });
});

import { oauth2 } from "@googleapis/oauth2";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { OAuth2Client } from "google-auth-library";
import { describe, it } from "node:test";
import { Strategy } from "passport-google-oauth20";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";
import { keepAll, type PassportTokens, runStrategy } from "./passport.ts";

const apis = "https://www.googleapis.com/auth";
const open = () => openProvider("google", { hosts: true });

describe("Clients of Google, with the hosts that they have in their code", () => {
  it("Z1: google-auth-library signs in, verifies the ID token by the certificates, reads userinfo, refreshes and revokes cleanly", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const client = new OAuth2Client(webClient.id, webClient.secret, callback);
    const { codeVerifier, codeChallenge = "" } = await client.generateCodeVerifierAsync();
    const url = client.generateAuthUrl({
      ...{ access_type: "offline", scope: [`${apis}/userinfo.email`], state: "state-of-a-user" },
      ...{ code_challenge: codeChallenge, code_challenge_method: "S256" as never },
    });
    const { tokens } = await client.getToken({ code: await codeAt(lab, url), codeVerifier });
    const idToken = tokens.id_token ?? "";
    const ticket = await client.verifyIdToken({ idToken, audience: webClient.id });
    assertEquals(ticket.getPayload()?.iss, "https://accounts.google.com");
    client.setCredentials(tokens);
    const userinfo = "https://openidconnect.googleapis.com/v1/userinfo";
    const { data } = await client.request<{ email: string }>({ url: userinfo });
    assertEquals(data.email, "alice@example.com");
    await client.refreshAccessToken();
    await client.revokeCredentials();
    await assertRejects(
      () => client.revokeToken(tokens.refresh_token ?? ""),
      Error,
      "invalid_token",
    );
    lab.assertClean();
  });

  it("Z1: @googleapis/oauth2 describes the user at the older userinfo cleanly", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const auth = new OAuth2Client(webClient.id, webClient.secret, callback);
    const scope = [`${apis}/userinfo.email`, `${apis}/userinfo.profile`];
    const url = auth.generateAuthUrl({ scope, state: "state-of-a-user" });
    auth.setCredentials((await auth.getToken(await codeAt(lab, url))).tokens);
    const { data } = await oauth2({ version: "v2", auth: auth as never }).userinfo.get();
    assertEquals([data.name, data.email], ["Alice Adler", "alice@example.com"]);
    assertMatch(data.id ?? "", /^\d{21}$/);
    lab.assertClean();
  });

  it("Z1 Z6: passport-google-oauth20 signs in cleanly, with its token in a query", async () => {
    await using lab = await open();
    using _ = lab.intercept({ http: true });
    const { id: clientID, secret: clientSecret = "" } = webClient;
    const strategy = new Strategy({ clientID, clientSecret, callbackURL: callback }, keepAll);
    const options = { scope: ["profile", "email"], state: "state-of-a-user" };
    const { redirect = "" } = await runStrategy(strategy, { query: {} }, options);
    const code = await codeAt(lab, redirect);
    const { user, error } = await runStrategy(strategy, { query: { code } }, options);
    assertEquals(error, undefined);
    const { profile } = user as PassportTokens;
    assertEquals([profile.displayName, profile.emails], [
      ...["Alice Adler", [{ value: "alice@example.com", verified: true }]],
    ]);
    lab.assertClean();
  });
});

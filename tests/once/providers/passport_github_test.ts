import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import Strategy from "passport-github2";
import { callback, codeAt, openProvider, webClient } from "../../support/provider_login.ts";
import { runStrategy } from "./passport.ts";

describe("passport-github2, with nothing changed but the URLs", () => {
  it("signs in, and reads the form, the profile and the addresses", async () => {
    await using lab = await openProvider("github", { listen: true });
    const { issuer } = lab;
    const strategy = new Strategy(
      {
        clientID: webClient.id,
        clientSecret: webClient.secret ?? "",
        callbackURL: callback,
        scope: ["read:user", "user:email"],
        authorizationURL: `${issuer}/login/oauth/authorize`,
        tokenURL: `${issuer}/login/oauth/access_token`,
        userProfileURL: `${issuer}/user`,
        userEmailURL: `${issuer}/user/emails`,
      },
      (_token: string, _refresh: string, profile: unknown, done: (...all: unknown[]) => void) =>
        done(null, profile),
    );
    const { redirect = "" } = await runStrategy(strategy, { query: {} });
    assertMatch(redirect, /scope=read%3Auser%2Cuser%3Aemail/);
    const code = await codeAt(lab, redirect);
    const { user } = await runStrategy(strategy, { query: { code } });
    assertEquals([user?.username, user?.emails[0]?.value], ["alice", "alice@example.com"]);
    const { error } = await runStrategy(strategy, { query: { code } });
    assertMatch(String(error), /passed is incorrect or expired|obtain access token/);
  });
});

import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import Strategy from "passport-github2";
import { callback, callbackOf, openProvider, webClient } from "../../support/provider_login.ts";

interface Outcome {
  redirect?: string;
  user?: { username: string; id: string; emails: Array<{ value: string }> };
  failure?: unknown;
  error?: unknown;
}

/** Runs the strategy once, as Passport does for a request. */
function run(strategy: object, query: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    const prepared = Object.create(strategy);
    prepared.redirect = (redirect: string) => resolve({ redirect });
    prepared.success = (user: NonNullable<Outcome["user"]>) => resolve({ user });
    prepared.fail = (failure: unknown) => resolve({ failure });
    prepared.error = (error: unknown) => resolve({ error });
    prepared.authenticate({ query, body: {}, headers: {}, connection: {} }, {});
  });
}

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
    const { redirect = "" } = await run(strategy, {});
    assertMatch(redirect, /scope=read%3Auser%2Cuser%3Aemail/);
    const { code = "" } = callbackOf(await lab.fetch(redirect, { redirect: "manual" }));
    const { user } = await run(strategy, { code });
    assertEquals([user?.username, user?.emails[0]?.value], ["alice", "alice@example.com"]);
    const { error } = await run(strategy, { code });
    assertMatch(String(error), /passed is incorrect or expired|obtain access token/);
  });
});

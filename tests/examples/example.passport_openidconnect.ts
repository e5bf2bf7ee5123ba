import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { Passport } from "passport";
import { type Profile, Strategy, type VerifyCallback } from "passport-openidconnect";
import { openSite } from "./apps/open_site.ts";
import { createApp } from "./apps/passport.ts";

it("signs Alice in, with a nonce instead of PKCE", async () => {
  await using site = await openSite();
  const callbackURL = `${site.url}/callback`;
  const secret = "web-secret";
  await using lab = await hallpass({
    listen: true,
    signIn: "alice",
    clients: [{ id: "web", secret, redirectUris: [callbackURL] }],
  });
  const strategy = new Strategy({
    issuer: lab.issuer,
    authorizationURL: `${lab.issuer}/oauth2/authorize`,
    tokenURL: `${lab.issuer}/oauth2/token`,
    userInfoURL: `${lab.issuer}/oauth2/userinfo`,
    clientID: "web",
    clientSecret: secret,
    callbackURL,
    // It has no PKCE. A nonce that it checks is the other way; without one, it needs pkce: "optional".
    nonce: "true",
    scope: ["profile"],
  }, (_issuer: string, profile: Profile, done: VerifyCallback) => done(null, profile));
  site.server.on("request", createApp(new Passport().use("oidc", strategy)));

  const profile = await makeFetchCookie(fetch)(`${site.url}/login`);
  assert.equal((await profile.json()).displayName, "Alice Adler");
  lab.assertClean();
});

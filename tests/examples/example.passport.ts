import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { allowInsecureRequests, discovery } from "openid-client";
import { Strategy } from "openid-client/passport";
import { Passport } from "passport";
import { openSite } from "./apps/open_site.ts";
import { createApp } from "./apps/passport.ts";

it("signs Alice in", async () => {
  await using site = await openSite();
  const callbackURL = `${site.url}/callback`;
  await using lab = await hallpass({
    listen: true,
    clients: [{ id: "web", secret: "web-secret", redirectUris: [callbackURL] }],
  });
  const config = await discovery(new URL(lab.issuer), "web", "web-secret", undefined, {
    execute: [allowInsecureRequests], // the lab listens without TLS
  });
  const strategy = new Strategy(
    { config, callbackURL, scope: "openid profile" },
    (tokens, verified) => verified(null, tokens.claims()),
  );
  site.server.on("request", createApp(new Passport().use("oidc", strategy)));

  const browse = makeFetchCookie(fetch); // keeps the cookies of the application
  const login = await browse(`${site.url}/login`, { redirect: "manual" });
  const url = login.headers.get("Location") ?? "";
  const { callback } = await lab.authorize(url, { user: "alice" });
  const profile = await browse(callback);
  assert.equal((await profile.json()).name, "Alice Adler");
  lab.assertClean();
});

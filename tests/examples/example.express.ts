import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { createApp } from "./apps/express_openid_connect.ts";
import { openSite } from "./apps/open_site.ts";

it("signs Alice in, and out again", async () => {
  await using site = await openSite();
  await using lab = await hallpass({
    listen: true,
    signIn: "alice",
    clients: [{
      id: "web",
      secret: "web-secret",
      redirectUris: [`${site.url}/callback`],
      postLogoutRedirectUris: [site.url],
    }],
  });
  const settings = { issuerBaseURL: lab.issuer, baseURL: site.url, clientSecret: "web-secret" };
  site.server.on("request", createApp(settings));
  const browse = makeFetchCookie(fetch);

  assert.equal(await (await browse(`${site.url}/profile`)).text(), "Hello Alice Adler");
  assert.equal(await (await browse(`${site.url}/logout`)).text(), "Welcome");
  lab.assertClean();
});

import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { createApp } from "./apps/express_openid_connect.ts";
import { memoryStore } from "./apps/memory_store.ts";
import { openSite } from "./apps/open_site.ts";

const clientSecret = "web-secret";

it("signs Alice out of the shop when she signs out of the forum", async () => {
  await using shop = await openSite();
  await using forum = await openSite();
  const sites = Object.entries({ shop, forum });
  const clients = sites.map(([id, { url }]) => ({
    ...{ id, secret: clientSecret },
    redirectUris: [`${url}/callback`],
    postLogoutRedirectUris: [url],
    backchannelLogoutUri: `${url}/backchannel-logout`,
  }));
  await using lab = await hallpass({ listen: true, signIn: "alice", clients });
  for (const [clientID, { url: baseURL, server }] of sites) {
    const session = { store: memoryStore(), name: clientID };
    const settings = { issuerBaseURL: lab.issuer, baseURL, clientID, clientSecret };
    server.on("request", createApp({ ...settings, session, backchannelLogout: true }));
  }
  const browse = makeFetchCookie(fetch);
  const statusOf = async (url: string) => (await browse(url, { redirect: "manual" })).status;
  for (const [, { url }] of sites) await browse(`${url}/profile`);
  assert.equal(await statusOf(`${shop.url}/profile`), 200);

  const posted = shop.nextPost();
  await browse(`${forum.url}/logout`);
  await posted;
  assert.equal(await statusOf(`${shop.url}/profile`), 302); // to the sign-in
});

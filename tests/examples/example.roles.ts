import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { createApp } from "./apps/express_openid_connect.ts";
import { openSite } from "./apps/open_site.ts";

it("opens the office to administrators only", async () => {
  await using site = await openSite();
  await using lab = await hallpass({
    listen: true,
    users: [{ name: "alice", claims: { roles: ["admin"] } }, { name: "bob" }],
    clients: [{
      id: "web",
      secret: "web-secret",
      redirectUris: [`${site.url}/callback`],
      claims: { idToken: ["roles"] }, // where this provider puts them
    }],
  });
  const settings = { issuerBaseURL: lab.issuer, baseURL: site.url, clientSecret: "web-secret" };
  site.server.on("request", createApp(settings));
  const statusOfOffice = async (user: string) => {
    lab.signIn(user);
    return (await makeFetchCookie(fetch)(`${site.url}/office`)).status;
  };

  assert.equal(await statusOfOffice("alice"), 200);
  assert.equal(await statusOfOffice("bob"), 403);
  await lab.users.put({ name: "bob", claims: { roles: ["admin", "editor"] } });
  assert.equal(await statusOfOffice("bob"), 200);
  lab.fault("token.claims", { claims: { roles: [] }, client: "web", times: 1 }); // for one login
  assert.equal(await statusOfOffice("alice"), 403);
});

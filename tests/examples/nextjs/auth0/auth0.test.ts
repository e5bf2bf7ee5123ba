import makeFetchCookie from "fetch-cookie";
import { hallpass } from "hallpass/testing";
import { NextRequest, NextResponse } from "next/server.js";
import assert from "node:assert/strict";
import { it } from "node:test";
import { createAuth0 } from "./client.ts";

type RequestSettings = ConstructorParameters<typeof NextRequest>[1];

const site = "https://app.example";

/** Opens a lab that plays the tenant of Auth0. */
function openAuth0() {
  return hallpass({
    provider: "auth0",
    issuer: "https://shop.eu.auth0.com/",
    signIn: "alice",
    clients: [{
      id: "web",
      secret: "web-secret",
      redirectUris: [`${site}/auth/callback`],
      postLogoutRedirectUris: [site],
    }],
  });
}

/** A browser with cookies: the middleware responds for the application, and the lab for Auth0. */
function openBrowser(auth0 = createAuth0()) {
  return makeFetchCookie(async (url, init) => {
    const request = new NextRequest(String(url), init as RequestSettings);
    const isOfSite = request.url.startsWith(site);
    const response = isOfSite ? await auth0.middleware(request) : await fetch(request);
    // A response that was made in this process has no URL, which cookies and redirects need.
    return Object.defineProperty(response, "url", { value: request.url });
  });
}

it("signs Alice in to a Next.js application with Auth0's SDK, and out again", async () => {
  await using lab = await openAuth0();
  using _ = lab.intercept();
  const browse = openBrowser();
  const profile = await browse(`${site}/auth/login?returnTo=/auth/profile`);
  const user = await profile.json();
  assert.equal(user.name, "Alice Adler");
  assert.match(user.sub, /^auth0\|[0-9a-f]{24}$/);
  const page = await browse(`${site}/auth/logout`);
  assert.equal(page.url, `${site}/`);
  assert.equal((await browse(`${site}/auth/profile`)).status, 401);
  lab.assertClean({ refused: true });
});

it("refreshes the access token", async () => {
  await using lab = await openAuth0();
  using _ = lab.intercept();
  const auth0 = createAuth0();
  const browse = openBrowser(auth0);
  await browse(`${site}/auth/login`);
  const { token } = await (await browse(`${site}/auth/access-token`)).json();
  const cookie = await browse.cookieJar.getCookieString(site);
  const request = new NextRequest(site, { headers: { cookie } });
  const refreshed = await auth0.getAccessToken(request, NextResponse.next(), { refresh: true });
  assert.notEqual(refreshed.token, token);
  const userinfo = await fetch("https://shop.eu.auth0.com/userinfo", {
    headers: { authorization: `Bearer ${refreshed.token}` },
  });
  assert.equal((await userinfo.json()).email, "alice@example.com");
  lab.assertClean({ refused: true });
});

it("signs out as older tenants do, at /v2/logout", async () => {
  await using lab = await openAuth0();
  using _ = lab.intercept();
  const browse = openBrowser(createAuth0({ logoutStrategy: "v2" }));
  await browse(`${site}/auth/login`);
  assert.equal((await browse(`${site}/auth/logout`)).url, `${site}/`);
  assert.equal(lab.requests().at(-1)?.path, "/v2/logout");
});

const refusals = [
  ...["id_token.alg_none", "id_token.wrong_iss", "id_token.wrong_aud", "id_token.wrong_nonce"],
  ...["id_token.expired", "callback.wrong_state", "callback.denied", "token.server_error"],
] as const;
for (const fault of refusals) {
  it(`refuses a sign-in under the fault ${fault}`, async () => {
    await using lab = await openAuth0();
    using _ = lab.intercept();
    lab.fault(fault);
    const browse = openBrowser();
    assert.equal((await browse(`${site}/auth/login`)).status, 500);
    assert.equal((await browse(`${site}/auth/profile`)).status, 401);
  });
}

it("refuses the callback of another browser", async () => {
  await using lab = await openAuth0();
  using _ = lab.intercept();
  const login = await openBrowser()(`${site}/auth/login`, { redirect: "manual" });
  const { callback } = await lab.authorize(String(login.headers.get("Location")));
  assert.equal((await openBrowser()(callback)).status, 500);
});

it("believes the token endpoint without a look at the signature, which TLS allows", async () => {
  await using lab = await openAuth0();
  using _ = lab.intercept();
  lab.fault("id_token.foreign_signature");
  const profile = await openBrowser()(`${site}/auth/login?returnTo=/auth/profile`);
  assert.equal((await profile.json()).name, "Alice Adler");
});

// Auth.js signs a user in. Next.js, SvelteKit and others use this same core.
import { Auth } from "@auth/core";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Browser, createBrowser } from "../../support/browser.ts";
import { present } from "../../support/present.ts";
import { authorize, issuer, register } from "./running_server.ts";

const origin = "https://app.example";

/** A site that signs users in with the running server. */
async function openSite(
  type: "oidc" | "oauth",
  token_endpoint_auth_method: string,
): Promise<Browser> {
  const client = await register({
    redirect_uris: [`${origin}/auth/callback/hallpass`],
    token_endpoint_auth_method,
  });
  const endpoints = {
    authorization: { url: `${issuer}/oauth2/authorize`, params: { scope: "openid profile" } },
    token: `${issuer}/oauth2/token`,
    userinfo: `${issuer}/oauth2/userinfo`,
  };
  const provider = {
    id: "hallpass",
    name: "Hallpass",
    type,
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    client: { token_endpoint_auth_method },
    checks: type === "oidc" ? ["pkce", "state", "nonce"] : ["pkce", "state"],
    ...type === "oauth" && endpoints,
  };
  const config = { trustHost: true, secret: "a secret for cookies", basePath: "/auth" };
  return createBrowser(
    async (request) => await Auth(request, { ...config, providers: [provider] } as never),
    (url) => !url.startsWith(`${origin}/auth/`),
  );
}

/** Signs the user in, as a click on the button does, and returns the session that the site sees. */
async function signIn(site: Browser): Promise<{ user: { name: string } }> {
  const { csrfToken } = await (await site.request(`${origin}/auth/csrf`)).json();
  const start = await site.request(`${origin}/auth/signin/hallpass`, {
    method: "POST",
    body: new URLSearchParams({ csrfToken }),
  });
  const callback = await authorize(present(start.headers.get("Location")));
  await site.request(callback.href);
  return await (await site.request(`${origin}/auth/session`)).json();
}

describe("Auth.js", () => {
  const cases = [
    ["oidc", "client_secret_basic"],
    ["oidc", "client_secret_post"],
    ["oidc", "none"],
    ["oauth", "client_secret_basic"],
  ] as const;
  for (const [type, method] of cases) {
    it(`signs a user in as a provider of type ${type}, with ${method}`, async () => {
      const { user } = await signIn(await openSite(type, method));
      assert.equal(user.name, "Alice Adler");
    });
  }
});

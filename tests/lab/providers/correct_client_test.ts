import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { describe, it } from "node:test";
import { logIn, openProvider } from "../../support/provider_login.ts";

const api = "https://api.example.com";

/** How a login gets a token for an API, and the audience that the token then names. */
interface ApiLogin {
  provider: "okta" | "entra" | "keycloak" | "auth0";
  asked?: Record<string, string>;
  aud: unknown;
}

const apiLogins: readonly ApiLogin[] = [
  { provider: "okta", aud: "api://default" },
  { provider: "entra", aud: "https://graph.microsoft.com" },
  { provider: "keycloak", aud: "account" },
  {
    provider: "auth0",
    asked: { audience: api },
    aud: [api, "https://hallpass.test/userinfo"],
  },
];

describe("The report on a correct client of a provider", () => {
  for (const { provider, asked, aud } of apiLogins) {
    it(`Z1: is clean for userinfo with a token for an API: ${provider}`, async () => {
      await using lab = await openProvider(provider);
      const url = `${lab.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
      const metadata = await (await lab.fetch(url)).json();
      const urls = { authorize: metadata.authorization_endpoint, token: metadata.token_endpoint };
      const { tokens } = await logIn(lab, urls, { scope: "openid profile email", ...asked });
      const { access_token } = tokens;
      const response = await lab.fetch(metadata.userinfo_endpoint, {
        headers: { Authorization: `Bearer ${access_token}` },
      });
      assertEquals([response.status, decodeJwt(access_token).aud], [200, aud]);
      lab.assertClean({ refused: true });
    });
  }
});

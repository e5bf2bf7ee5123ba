import KcAdminClient from "@keycloak/keycloak-admin-client";
import { assert, assertEquals } from "@std/assert";
import Keycloak from "keycloak-js";
import { describe, it } from "node:test";
import { callback, openProvider, publicClient, webClient } from "../../support/provider_login.ts";
import { openPage } from "./page_globals.ts";

const baseUrl = "https://sso.example.com";
const issuer = `${baseUrl}/realms/shop`;

describe("Clients of Keycloak, with nothing but the URL of the server", () => {
  it("Z1: keycloak-js uses every step of a page cleanly", async () => {
    await using lab = await openProvider("keycloak", { issuer, clients: [publicClient] });
    using _ = lab.intercept();
    using page = openPage(callback);
    const config = { url: baseUrl, realm: "shop", clientId: publicClient.id };
    const options = {
      ...{ checkLoginIframe: false, pkceMethod: "S256" } as const,
      ...{ redirectUri: callback, scope: "openid profile email" },
    };
    const before = new Keycloak(config);
    await before.init(options);
    const asked = await lab.fetch(await before.createLoginUrl(), { redirect: "manual" });
    page.location.href = asked.headers.get("Location") ?? "";
    const keycloak = new Keycloak(config);
    assert(await keycloak.init(options));
    const { email } = await keycloak.loadUserInfo() as { email?: string };
    assertEquals([email, keycloak.tokenParsed?.azp], ["alice@example.com", "spa"]);
    assert(await keycloak.updateToken(-1));
    // The library has no call for the endpoint that revokes.
    const revoked = await fetch(`${issuer}/protocol/openid-connect/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "spa", token: keycloak.refreshToken ?? "" }),
    });
    assertEquals(revoked.status, 200);
    const redirectUri = "https://app.example/";
    const url = keycloak.createLogoutUrl({ redirectUri });
    const { headers } = await lab.fetch(url, { redirect: "manual" });
    assertEquals(headers.get("Location"), redirectUri);
    lab.assertClean();
  });

  it("Z1: @keycloak/keycloak-admin-client gets a token of its own cleanly", async () => {
    const clients = [{ ...webClient, grantTypes: ["client_credentials"] }];
    await using lab = await openProvider("keycloak", { issuer, clients });
    using _ = lab.intercept();
    const { id: clientId, secret: clientSecret = "" } = webClient;
    const client = new KcAdminClient({ baseUrl, realmName: "shop" });
    await client.auth({ grantType: "client_credentials", clientId, clientSecret });
    assert(client.accessToken);
    lab.assertClean();
  });
});

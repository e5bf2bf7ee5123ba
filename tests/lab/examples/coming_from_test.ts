import { assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { readFile } from "node:fs/promises";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { challenge, verifier } from "../../support/test_client.ts";
import { needs } from "../../support/where_feature.ts";

const it = itWith({ withLogout: needs("logout"), withProviders: needs("providers") });

/** Opens a lab with the settings that replace those of another project's quick start. */
async function openAfter(name: string): Promise<TestLab> {
  const text = await readFile(`tests/examples/coming_from/${name}.after.json`, "utf8");
  return await hallpass(JSON.parse(text));
}

interface Login {
  client: string;
  secret?: string;
  redirectUri: string;
  scope: string;
  user: string;
  password: string;
}

/** Signs in at the paths of the other project, with what a user types. */
async function signIn(lab: TestLab, authorize: string, token: string, login: Login) {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: login.client,
    redirect_uri: login.redirectUri,
    scope: login.scope,
    state: "a-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const { user, password } = login;
  const { callback } = await lab.authorize(`${lab.issuer}${authorize}?${query}`, {
    user,
    password,
  });
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: new URL(callback).searchParams.get("code") ?? "",
    redirect_uri: login.redirectUri,
    client_id: login.client,
    code_verifier: verifier,
  });
  if (login.secret !== undefined) body.set("client_secret", login.secret);
  const response = await lab.fetch(lab.issuer + token, { method: "POST", body });
  return await response.json();
}

describe("The settings that replace those of another project", () => {
  it.withLogout("keep the machine client, the user and the paths of oidc-server-mock's README", async () => {
    await using lab = await openAfter("oidc_server_mock");
    const id = "client-credentials-mock-client";
    const response = await lab.fetch(`${lab.issuer}/connect/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${id}:${id}-secret`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "some-app-scope-1" }),
    });
    assertEquals((await response.json()).scope, "some-app-scope-1");
    const login = {
      client: "mock-client",
      redirectUri: "http://localhost:3000/auth/oidc",
      scope: "openid profile",
      user: "User1",
      password: "pwd",
    };
    const tokens = await signIn(lab, "/connect/authorize", "/connect/token", login);
    assertEquals(decodeJwt(tokens.id_token).sub, "1");
    await assertRejects(() =>
      signIn(lab, "/connect/authorize", "/connect/token", { ...login, password: "wrong" })
    );
  });

  it("keep the client, the password and the paths of Dex's config-dev.yaml", async () => {
    await using lab = await openAfter("dex");
    assertEquals(lab.issuer, "http://127.0.0.1:5556/dex");
    const tokens = await signIn(lab, "/auth", "/token", {
      client: "example-app",
      secret: "ZXhhbXBsZS1hcHAtc2VjcmV0",
      redirectUri: "http://127.0.0.1:5555/callback",
      scope: "openid profile email",
      user: "admin@example.com",
      password: "password",
    });
    const { sub, email } = decodeJwt(tokens.id_token);
    assertEquals([sub, email], ["08a8684b-db88-4b73-90a9-3cd1661f5466", "admin@example.com"]);
    assertEquals((await lab.fetch(`${lab.issuer}/keys`)).status, 200);
  });

  it.withProviders("keep the realm, the client and the user of Keycloak's guide for Docker", async () => {
    await using lab = await openAfter("keycloak");
    const paths = "/protocol/openid-connect";
    const tokens = await signIn(lab, `${paths}/auth`, `${paths}/token`, {
      client: "myclient",
      redirectUri: "http://localhost:3000/callback",
      scope: "openid profile",
      user: "myuser",
      password: "secret",
    });
    const claims = decodeJwt(tokens.access_token);
    assertEquals([claims.iss, claims.realm_access], [lab.issuer, { roles: ["admin"] }]);
    assertEquals(decodeJwt(tokens.id_token).preferred_username, "myuser");
  });
});

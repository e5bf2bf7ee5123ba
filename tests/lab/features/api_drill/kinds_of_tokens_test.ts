import { assertEquals } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, it } from "node:test";
import {
  type ApiDrill,
  type ClientConfig,
  hallpass,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { protectedResource } from "../../../../src/resource/protected_resource.ts";
import { openProvider } from "../../../support/provider_login.ts";

const url = "https://api.test/orders";
const introspection = { clientId: "demo-service", clientSecret: "demo-service-secret" };
const opaqueClient: ClientConfig = {
  id: "opaque-web",
  redirectUris: ["http://localhost:3000/callback"],
  accessTokenFormat: "opaque",
};

/** Returns an API that asks the lab about each token. */
function introspectingApi(lab: TestLab): ApiDrill["request"] {
  const api = protectedResource({
    resource: url,
    authorizationServers: [{ issuer: lab.issuer, introspection }],
    fetch: (target, init) => lab.fetch(target, init as RequestInit),
  });
  return async (request) => {
    const access = await api.require(request, { scope: ["orders:read"] });
    return access instanceof Response ? access : new Response();
  };
}

/** Returns an API that looks for its scope in `scp`, as those of Okta and Entra do. */
function scpApi(lab: TestLab, audience: string): ApiDrill["request"] {
  return async ({ headers }) => {
    const [, token = ""] = /^Bearer (\S+)$/i.exec(headers.get("Authorization") ?? "") ?? [];
    const keySet = await (await lab.fetch(await jwksUriOf(lab))).json();
    const { issuer } = lab;
    const read = await jwtVerify(token, createLocalJWKSet(keySet), { issuer, audience })
      .catch(() => undefined);
    if (!read) return new Response(null, { status: 401 });
    const scopes = [read.payload.scp ?? []].flat().flatMap((scp) => String(scp).split(" "));
    const headersOf403 = { "WWW-Authenticate": 'Bearer error="insufficient_scope"' };
    if (scopes.includes("openid")) return new Response();
    return new Response(null, { status: 403, headers: headersOf403 });
  };
}

async function jwksUriOf(lab: TestLab): Promise<string> {
  const place = `${lab.issuer}/.well-known/openid-configuration`;
  return (await (await lab.fetch(place)).json()).jwks_uri;
}

async function violationsOf(lab: TestLab, drill: ApiDrill): Promise<string[]> {
  const { findings } = await lab.drillApi({ url, ...drill });
  return findings.flatMap(({ level, id }) => level === "violation" ? id : []);
}

describe("A drill of an API", () => {
  it("F1: leaves to the server what only the server knows of an opaque token", async () => {
    await using lab = await hallpass();
    lab.clients.put(opaqueClient);
    const api = { audience: url, scope: "orders:read", client: opaqueClient.id };
    const drill = { request: introspectingApi(lab), ...api };
    assertEquals(await violationsOf(lab, drill), []);
    const { checks } = await lab.drillApi({ ...drill, url, only: ["not_yet_valid", "clock"] });
    const reason = "The access tokens of this API are opaque.";
    assertEquals(checks.map(({ skipped }) => skipped), [reason, reason]);
  });

  it("F1: does not ask for an issuer that introspection need not return", async () => {
    await using lab = await hallpass();
    lab.clients.put(opaqueClient);
    const request: ApiDrill["request"] = async ({ headers }) => {
      const token = headers.get("Authorization")?.split(" ")[1] ?? "";
      const { clientId, clientSecret } = introspection;
      const response = await lab.fetch(`${lab.issuer}/oauth2/introspect`, {
        method: "POST",
        headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ token }),
      });
      const { active, aud } = await response.json();
      return new Response(null, { status: active && aud === url ? 200 : 401 });
    };
    const only = ["expired", "wrong_issuer", "wrong_audience"];
    const drill = { request, audience: url, client: opaqueClient.id, only };
    assertEquals(await violationsOf(lab, drill), []);
  });

  it("F2: presents a token of a new key that introspection knows", async () => {
    await using lab = await hallpass();
    const request = introspectingApi(lab);
    const { checks } = await lab.drillApi({ request, url, audience: url, only: ["new_key"] });
    assertEquals(checks.map(({ findings, skipped }) => [findings, skipped]), [[
      undefined,
      undefined,
    ]]);
  });

  for (const provider of ["okta", "entra"] as const) {
    it(`F3: changes the scope where the tokens of ${provider} have it`, async () => {
      await using lab = await openProvider(provider);
      const { token } = await lab.mint({ sub: "alice", scope: "openid" });
      const { aud } = JSON.parse(atob(token.split(".")[1]!));
      const only = ["no_scope", "small_scope", "scope_response", "scope_order"];
      const drill = { request: scpApi(lab, aud), scope: "openid", only };
      assertEquals(await violationsOf(lab, drill), []);
    });
  }
});

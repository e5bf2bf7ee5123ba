import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe } from "node:test";
import {
  type ApiDrill,
  type ApiHandler,
  type ClientConfig,
  hallpass,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { protectedResource } from "../../../../src/resource/protected_resource.ts";
import { service } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { openProvider } from "../../../support/provider_login.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ withIntrospection: needs("introspection"), withProviders: needs("providers") });

const url = "https://api.test/orders";
const ofLab = { clientId: "demo-service", clientSecret: "demo-service-secret" };
const opaqueClient: ClientConfig = {
  id: "opaque-web",
  redirectUris: ["http://localhost:3000/callback"],
  accessTokenFormat: "opaque",
};

/** Returns an API that asks the lab about each token. */
function introspectingApi(lab: TestLab, introspection = ofLab): ApiDrill["request"] {
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
function scpApi(lab: TestLab, audience: string, scope = "openid"): ApiDrill["request"] {
  return async ({ headers }) => {
    const [, token = ""] = /^Bearer (\S+)$/i.exec(headers.get("Authorization") ?? "") ?? [];
    const keySet = await (await lab.fetch(await jwksUriOf(lab))).json();
    const { issuer } = lab;
    const read = await jwtVerify(token, createLocalJWKSet(keySet), { issuer, audience })
      .catch(() => undefined);
    if (!read) return new Response(null, { status: 401 });
    const scopes = [read.payload.scp ?? []].flat().flatMap((scp) => String(scp).split(" "));
    const headersOf403 = { "WWW-Authenticate": 'Bearer error="insufficient_scope"' };
    if (scopes.includes(scope)) return new Response();
    return new Response(null, { status: 403, headers: headersOf403 });
  };
}

async function jwksUriOf(lab: TestLab): Promise<string> {
  const place = `${lab.issuer}/.well-known/openid-configuration`;
  return (await (await lab.fetch(place)).json()).jwks_uri;
}

async function violationsOf(lab: TestLab, drill: ApiDrill): Promise<string[]> {
  const { findings } = await lab.drillApi({ url, ...drill });
  return findings.flatMap(({ grade, id }) => grade === "B" ? [] : id);
}

describe("A drill of an API", () => {
  it.withIntrospection("F1: leaves to the server what only the server knows of an opaque token", async () => {
    await using lab = await hallpass();
    lab.clients.put(opaqueClient);
    const api = { audience: url, scope: "orders:read", client: opaqueClient.id };
    const drill = { request: introspectingApi(lab), ...api };
    assertEquals(await violationsOf(lab, drill), []);
    const { checks } = await lab.drillApi({ ...drill, url, only: ["not_yet_valid", "clock"] });
    const reason = "The access tokens of this API are opaque.";
    assertEquals(checks.map(({ skipped }) => skipped), [reason, reason]);
  });

  it.withIntrospection("blames no API for a token that is too large for the server which it asks", async () => {
    await using lab = await hallpass();
    lab.clients.put(opaqueClient);
    const request: ApiDrill["request"] = async ({ headers }) => {
      const token = headers.get("Authorization")?.split(" ")[1] ?? "";
      const { status, body } = await testClient().introspect(lab, token, {}, service);
      if (status !== 200) return new Response(null, { status: 500 });
      return new Response(null, { status: body.active && body.aud === url ? 200 : 401 });
    };
    const drill = { request, url, audience: url, client: opaqueClient.id, only: ["large_token"] };
    const { findings, tested } = await lab.drillApi(drill);
    assertEquals([findings, tested], [[], 1]);
  });

  it.withIntrospection("says of a small scope what a client learns of the status that it gets", async () => {
    await using lab = await hallpass();
    const gainOf = async (status: number) => {
      const request: ApiDrill["request"] = async ({ headers }) => {
        const token = headers.get("Authorization")?.split(" ")[1] ?? "";
        const { active, scope = "" } =
          (await testClient().introspect(lab, token, {}, service)).body;
        if (!active) return new Response(null, { status: 401 });
        const isAllowed = String(scope).split(" ").includes("profile");
        return new Response(null, { status: isAllowed ? 200 : status });
      };
      const drill = { request, url, audience: url, scope: "profile", only: ["scope_response"] };
      return (await lab.drillApi(drill)).findings[0]?.gain ?? "";
    };
    assertStringIncludes(await gainOf(401), "takes 401 for an expired token");
    assertStringIncludes(await gainOf(403), "asks for no other scope");
  });

  it.withIntrospection("F1: does not ask for an issuer that introspection need not return", async () => {
    await using lab = await hallpass();
    lab.clients.put(opaqueClient);
    const request: ApiDrill["request"] = async ({ headers }) => {
      const token = headers.get("Authorization")?.split(" ")[1] ?? "";
      const { active, aud } = (await testClient().introspect(lab, token, {}, service)).body;
      return new Response(null, { status: active && aud === url ? 200 : 401 });
    };
    const only = ["expired", "wrong_issuer", "wrong_audience"];
    const drill = { request, audience: url, client: opaqueClient.id, only };
    assertEquals(await violationsOf(lab, drill), []);
  });

  it.withIntrospection("F2: presents a token of a new key that introspection knows", async () => {
    await using lab = await hallpass();
    const request = introspectingApi(lab);
    const { checks } = await lab.drillApi({ request, url, audience: url, only: ["new_key"] });
    assertEquals(checks.map(({ findings, skipped }) => [findings, skipped]), [[
      undefined,
      undefined,
    ]]);
  });

  for (
    const [provider, scope, inToken] of [
      ["okta", "openid", "openid"],
      ["entra", "api://orders/Orders.Read", "Orders.Read"],
    ] as const
  ) {
    it.withProviders(`F3: changes the scope where the tokens of ${provider} have it`, async () => {
      await using lab = await openProvider(provider);
      const { token } = await lab.mint({ sub: "alice", scope });
      const { aud } = JSON.parse(atob(token.split(".")[1]!));
      const only = ["no_scope", "small_scope", "scope_response", "scope_order"];
      const drill = { request: scpApi(lab, aud, inToken), scope, only };
      assertEquals(await violationsOf(lab, drill), []);
    });
  }
});

describe("An API whose tokens a drill did not expect", () => {
  it("F4: has a finding if it declares DPoP, and refuses every proof", async () => {
    await using lab = await hallpass();
    const api = protectedResource({
      resource: "https://api.example",
      authorizationServers: [lab.issuer],
      fetch: (target, init) => lab.fetch(target, init as RequestInit),
    });
    const request: ApiDrill["request"] = async (sent) => {
      const access = api.handle(sent) ?? await api.require(sent, { scope: [] });
      return access instanceof Response ? access : new Response();
    };
    const drill = { request, audience: "https://api.example" };
    const { findings } = await lab.drillApi({ url, ...drill });
    assertEquals(findings.map(({ id }) => id), ["dpop"]);
  });

  it.withProviders("F8: learns the audience of the token, which a preset may have chosen", async () => {
    await using lab = await openProvider("keycloak");
    const drill = { request: () => new Response(null, { status: 401 }), url };
    await assertRejects(() => lab.drillApi(drill), LabError, "for the audience 'account'");
  });

  it.withProviders("F9: gets no advice about a type that the tokens of its issuer do not have", async () => {
    await using lab = await openProvider("okta");
    const { token } = await lab.mint({ sub: "alice" });
    const { aud } = JSON.parse(atob(token.split(".")[1]!));
    const drill = { request: scpApi(lab, aud), scope: "openid", url, only: ["wrong_type", "typ"] };
    const { findings, checks } = await lab.drillApi(drill);
    assertEquals([findings, checks.map(({ skipped }) => skipped !== undefined)], [
      [],
      [false, true],
    ]);
  });

  it.withIntrospection("F10: learns that opaque tokens need a drill of their own", async () => {
    await using lab = await hallpass();
    const api = { request: introspectingApi(lab), audience: url, url, scope: "orders:read" };
    const noteOf = async () => {
      const { checks } = await lab.drillApi({ ...api, only: ["revoked_opaque"] });
      return checks[0]?.note ?? "";
    };
    assertStringIncludes(await noteOf(), 'its "accessTokenFormat" is "opaque"');
    lab.clients.put(opaqueClient);
    assertStringIncludes(await noteOf(), "such as 'opaque-web'");
  });

  it.withIntrospection("Q4: learns that its client may not introspect the token", async () => {
    await using lab = await hallpass();
    lab.clients.put({ id: "api", secret: "a-secret-of-32-characters-or-more" });
    const credentials = { clientId: "api", clientSecret: "a-secret-of-32-characters-or-more" };
    const request = introspectingApi(lab, credentials);
    const drill = () => lab.drillApi({ request, audience: url, url, scope: "orders:read" });
    await assertRejects(drill, LabError, "one that has it in its 'resources'");
    await assertRejects(drill, LabError, `"introspect": "any"`);
  });

  it("W2: gets a token with the scope that its 403 names", needs("introspection"), async () => {
    await using lab = await hallpass();
    const protect = introspectingApi(lab) as ApiHandler;
    const request: ApiHandler = (sent) =>
      sent.headers.has("Authorization") ? protect(sent) : new Response(null, { status: 401 });
    const drill = { request, audience: url, url, only: ["small_scope"] };
    const { checks } = await lab.drillApi(drill);
    assertEquals(checks.map(({ id, findings, skipped }) => [id, findings, skipped]), [
      ["small_scope", undefined, undefined],
    ]);
  });

  it("is not advised to name metadata that it does not publish, and sees a plain request", async () => {
    await using lab = await hallpass();
    const request = ({ headers }: Request) => {
      const isBearer = headers.get("Authorization")?.startsWith("Bearer ey") ?? false;
      return new Response(null, { status: isBearer ? 200 : 401 });
    };
    const only = ["unknown_token", "resource_metadata", "challenge"];
    const { findings } = await lab.drillApi({ request, audience: url, url, only });
    const received = "no WWW-Authenticate for an unknown opaque token, and 1 more";
    assertEquals(findings.map((each) => each.received), [received]);
  });
});

import { assert, assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { createServer, grantTypes } from "../../src/server/features.ts";
import { openKit, read } from "../support/kit.ts";
import { hasFeature } from "../support/where_feature.ts";

const issuer = "https://hallpass.test";
const openId = "/.well-known/openid-configuration";
const oauth = "/.well-known/oauth-authorization-server";

async function fetchJson(path: string, at = issuer) {
  return await read(await openKit({ issuer: at }).server.fetch(new Request(new URL(path, at))));
}

describe("The metadata (RFC 8414; OpenID Connect Discovery)", () => {
  for (const path of [openId, oauth]) {
    it(`O10 B13 is at ${path}, for scripts as well`, async () => {
      const { status, headers, body } = await fetchJson(path);
      assertEquals(status, 200);
      assertEquals(headers.get("Content-Type"), "application/json");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      assertEquals([body.issuer, body.token_endpoint], [issuer, `${issuer}/oauth2/token`]);
    });

    for (const place of [`${path}/tenant/a`, `/tenant/a${path}`]) {
      it(`is at ${place} for an issuer with a path`, async () => {
        const tenant = `${issuer}/tenant/a`;
        const { body } = await fetchJson(place, tenant);
        assertEquals([body.issuer, body.jwks_uri], [tenant, `${tenant}/oauth2/jwks`]);
      });
    }
  }

  it("is nowhere else for an issuer with a path", async () => {
    assertEquals((await fetchJson(openId, `${issuer}/tenant/a`)).status, 404);
  });

  it("R04 B05 O10 A32 contains what a client must know", async () => {
    const { body } = await fetchJson(openId);
    assertEquals(body.code_challenge_methods_supported, ["S256"]);
    assertEquals(body.authorization_response_iss_parameter_supported, true);
    assertEquals(body.response_types_supported, ["code"]);
    const carriers = ["query", "form_post", "fragment"];
    const signed = carriers.map((mode) => `${mode}.jwt`);
    assertEquals(body.response_modes_supported, [...carriers, ...signed, "jwt"]);
    assertEquals(body.request_parameter_supported, true);
    assertEquals(body.request_uri_parameter_supported, false);
    const algs = ["RS256", "ES256", "PS256", "EdDSA", "Ed25519"];
    assertEquals(body.request_object_signing_alg_values_supported, algs);
    assertEquals(
      body.authorization_signing_alg_values_supported,
      body.id_token_signing_alg_values_supported,
    );
    assertEquals("require_pushed_authorization_requests" in body, false);
    assertEquals(body.subject_types_supported, ["public", "pairwise"]);
    assert(body.id_token_signing_alg_values_supported.includes("RS256"));
    const assertionAlgs = ["HS256", "HS384", "HS512", ...algs];
    const optional = (["revocation", "introspection"] as const).filter((name) => hasFeature(name));
    for (const endpoint of ["token", ...optional] as const) {
      assertEquals(body[`${endpoint}_endpoint_auth_signing_alg_values_supported`], assertionAlgs);
      assert(body[`${endpoint}_endpoint_auth_methods_supported`].includes("private_key_jwt"));
    }
    assertEquals(body.grant_types_supported, grantTypes);
    assert(!JSON.stringify(body).includes("null"));
  });

  it("names the issuer exactly as it was configured, a slash at its end included", async () => {
    const { body } = await fetchJson(openId, `${issuer}/`);
    assertEquals([body.issuer, body.token_endpoint], [`${issuer}/`, `${issuer}/oauth2/token`]);
  });

  it("A02 B21 takes every address from the issuer, never from the Host of a request", async () => {
    const server = createServer({ issuer: "https://hallpass.test" });
    const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example" };
    const request = new Request(`http://evil.example${openId}`, { headers });
    const { body } = await read(await server.fetch(request));
    assert(!JSON.stringify(body).includes("evil"));
  });

  it("advertises no OpenID Connect where 'openid' is no scope, and keeps what RFC 8414 and its extensions define", async () => {
    const kit = openKit({ scopes: { read: "Read", write: "Write" } });
    const { body } = await read(await kit.get("/.well-known/oauth-authorization-server"));
    const onlyThere =
      /^(userinfo_|end_session|subject_types|id_token_|claims|prompt_|display_|(back|front)channel_)/;
    assertEquals(Object.keys(body).filter((name) => onlyThere.test(name)), []);
    assertEquals(body.scopes_supported, ["read", "write"]);
    assertEquals(body.response_types_supported, ["code"]);
    assert(body.authorization_signing_alg_values_supported);
    assert(body.request_parameter_supported);
    assert(body.acr_values_supported);
    assertEquals((await kit.get("/oauth2/userinfo")).status, 404);
  });

  it("names the operator's policy, terms and documentation, where there are any", async () => {
    const uris = {
      policyUri: "https://id.example/privacy",
      tosUri: "https://id.example/terms",
      serviceDocumentation: "https://id.example/docs",
    };
    const { body } = await read(await openKit(uris).get("/.well-known/openid-configuration"));
    const names = ["op_policy_uri", "op_tos_uri", "service_documentation"] as const;
    assertEquals(names.map((name) => body[name]), Object.values(uris));
    const metadata = openKit().server.context.metadata();
    assertEquals(names.filter((name) => name in metadata), []);
  });

  it("advertises no endpoint that does not exist", async () => {
    const kit = openKit();
    for (const [name, url] of Object.entries(kit.server.context.metadata())) {
      if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue;
      assert((await kit.server.fetch(new Request(String(url)))).status !== 404, name);
    }
  });
});

describe("The key set (RFC 7517)", () => {
  it("O11 holds public keys alone, each with a kid of its own, and stays as it is", async () => {
    const kit = openKit({ alg: "ES256" });
    const { body } = await read(await kit.get("/oauth2/jwks"));
    const allowed = ["kty", "crv", "x", "y", "n", "e", "kid", "alg", "use"];
    for (const key of body.keys) {
      for (const name of Object.keys(key)) assert(allowed.includes(name), name);
    }
    assertEquals(new Set(body.keys.map(({ kid }: { kid: string }) => kid)).size, body.keys.length);
    assertEquals((await read(await kit.get("/oauth2/jwks"))).body, body);
  });

  for (const alg of ["RS256", "ES256", "PS256", "EdDSA"] as const) {
    it(`O05 holds the keys that sign access tokens with ${alg}, and ID tokens with RS256`, async () => {
      const kit = openKit({ alg });
      const { id_token, access_token } = await kit.tokens();
      const { body } = await read(await kit.get("/oauth2/jwks"));
      for (const [token, expected] of [[id_token, "RS256"], [access_token, alg]]) {
        const header = decodeProtectedHeader(token ?? "");
        const isShown = body.keys.some((key: { kid: string; alg: string }) =>
          key.kid === header.kid && key.alg === expected
        );
        assertEquals([header.alg, isShown], [expected, true]);
      }
    });
  }

  it("warns in a lab about its keys", async () => {
    const { body } = await read(await openKit().get("/oauth2/jwks"));
    for (const { kid } of body.keys) assert(kid.startsWith("TEST-ONLY-"));
  });
});

describe("The health endpoint", () => {
  it("reports that the server works", async () => {
    assertEquals((await read(await openKit().get("/health"))).body.status, "ok");
  });
});

import { assert, assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import { createServer, grantTypes } from "../../src/server/features.ts";
import { openKit, read } from "../support/kit.ts";
import { hasFeature } from "../support/where_feature.ts";

async function fetchJson(issuer: string, path: string) {
  return await read(await openKit({ issuer }).server.fetch(new Request(new URL(path, issuer))));
}

describe("The metadata (RFC 8414; OpenID Connect Discovery)", () => {
  for (
    const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
  ) {
    it(`O10 B13 is at ${path}, for scripts as well`, async () => {
      const { status, headers, body } = await fetchJson("https://hallpass.test", path);
      assertEquals(status, 200);
      assertEquals(headers.get("Content-Type"), "application/json");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
      assertEquals([body.issuer, body.token_endpoint], [
        "https://hallpass.test",
        "https://hallpass.test/oauth2/token",
      ]);
    });
  }

  for (
    const path of [
      "/.well-known/openid-configuration/tenant/a",
      "/tenant/a/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server/tenant/a",
      "/tenant/a/.well-known/oauth-authorization-server",
    ]
  ) {
    it(`is at ${path} for an issuer with a path`, async () => {
      const { body } = await fetchJson("https://hallpass.test/tenant/a", path);
      assertEquals([body.issuer, body.jwks_uri], [
        "https://hallpass.test/tenant/a",
        "https://hallpass.test/tenant/a/oauth2/jwks",
      ]);
    });
  }

  it("is nowhere else for an issuer with a path", async () => {
    assertEquals(
      (await fetchJson("https://hallpass.test/tenant/a", "/.well-known/openid-configuration"))
        .status,
      404,
    );
  });

  it("R04 B05 O10 A32 contains what a client must know", async () => {
    const { body } = await fetchJson("https://hallpass.test", "/.well-known/openid-configuration");
    assertEquals(body.code_challenge_methods_supported, ["S256"]);
    assertEquals(body.authorization_response_iss_parameter_supported, true);
    assertEquals(body.response_types_supported, ["code"]);
    const carriers = ["query", "form_post", "fragment"];
    assertEquals(body.response_modes_supported, [
      ...carriers,
      ...carriers.map((mode) => `${mode}.jwt`),
      "jwt",
    ]);
    assertEquals(body.request_parameter_supported, true);
    assertEquals(body.request_uri_parameter_supported, false);
    assertEquals(body.request_object_signing_alg_values_supported, [
      "RS256",
      "ES256",
      "PS256",
      "EdDSA",
      "Ed25519",
    ]);
    assertEquals(
      body.authorization_signing_alg_values_supported,
      body.id_token_signing_alg_values_supported,
    );
    assertEquals("require_pushed_authorization_requests" in body, false);
    assertEquals(body.subject_types_supported, ["public", "pairwise"]);
    assert(body.id_token_signing_alg_values_supported.includes("RS256"));
    const assertionAlgs = [
      "HS256",
      "HS384",
      "HS512",
      "RS256",
      "ES256",
      "PS256",
      "EdDSA",
      "Ed25519",
    ];
    const optional = (["revocation", "introspection"] as const).filter((name) => hasFeature(name));
    for (const endpoint of ["token", ...optional] as const) {
      assertEquals(body[`${endpoint}_endpoint_auth_signing_alg_values_supported`], assertionAlgs);
      assert(body[`${endpoint}_endpoint_auth_methods_supported`].includes("private_key_jwt"));
    }
    assertEquals(body.grant_types_supported, grantTypes);
    assert(!JSON.stringify(body).includes("null"));
  });

  it("names the issuer exactly as it was configured, a slash at its end included", async () => {
    const { body } = await fetchJson("https://hallpass.test/", "/.well-known/openid-configuration");
    assertEquals([body.issuer, body.token_endpoint], [
      "https://hallpass.test/",
      "https://hallpass.test/oauth2/token",
    ]);
  });

  it("A02 B21 takes every address from the issuer, never from the Host of a request", async () => {
    const server = createServer({ issuer: "https://hallpass.test" });
    const { body } = await read(
      await server.fetch(
        new Request("http://evil.example/.well-known/openid-configuration", {
          headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example" },
        }),
      ),
    );
    assert(!JSON.stringify(body).includes("evil"));
  });

  it("advertises no OpenID Connect where 'openid' is no scope, and keeps what RFC 8414 and its extensions define", async () => {
    const kit = openKit({ scopes: { read: "Read", write: "Write" } });
    const { body } = await read(await kit.get("/.well-known/oauth-authorization-server"));
    const openId =
      /^(userinfo_|end_session|subject_types|id_token_|claims|prompt_|display_|(back|front)channel_)/;
    assertEquals(Object.keys(body).filter((name) => openId.test(name)), []);
    assertEquals(body.scopes_supported, ["read", "write"]);
    assertEquals(body.response_types_supported, ["code"]);
    for (
      const name of [
        "authorization_signing_alg_values_supported",
        "request_parameter_supported",
        "acr_values_supported",
      ] as const
    ) {
      assert(body[name], name);
    }
    assertEquals((await kit.get("/oauth2/userinfo")).status, 404);
  });

  it("names the operator's policy, terms and documentation, where there are any", async () => {
    const uris = {
      policyUri: "https://id.example/privacy",
      tosUri: "https://id.example/terms",
      serviceDocumentation: "https://id.example/docs",
    };
    const { body } = await read(await openKit(uris).get("/.well-known/openid-configuration"));
    assertEquals(
      [body.op_policy_uri, body.op_tos_uri, body.service_documentation],
      Object.values(uris),
    );
    const metadata = openKit().server.context.metadata();
    assertEquals(
      ["op_policy_uri", "op_tos_uri", "service_documentation"].filter((name) => name in metadata),
      [],
    );
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

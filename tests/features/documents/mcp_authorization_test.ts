import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { Config } from "../../../src/server/features.ts";
import { textOf } from "../../support/browser.ts";
import { claimsOf, type Fields, type Kit, openStrictKit, read } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import type { ResponseBody } from "../../support/wire.ts";

/** What an authorization server does for the Model Context Protocol of 2026-07-28, by its rows. */

const resource = "https://mcp.example/tools";
const client_id = "https://editor.example/client.json";
const redirect_uri = "http://localhost:3000/callback";

/** A document as draft-00 and the text of the protocol write it. */
const document = {
  client_id,
  client_name: "Example MCP Client",
  client_uri: "https://editor.example",
  logo_uri: "https://editor.example/logo.png",
  redirect_uris: ["http://127.0.0.1:3000/callback", redirect_uri],
  grant_types: ["authorization_code"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

/** What a test changes: members of the document, and settings. */
interface McpChanges {
  document?: object;
  config?: Partial<Config>;
  headers?: Record<string, string>;
}

/** Opens a server as `hallpass serve` runs it, for one MCP server. */
function openMcp({ document: changes, config, headers }: McpChanges = {}): Kit {
  return openStrictKit({
    profile: "mcp",
    resources: [resource],
    scopes: { openid: "Sign in", offline_access: "Offline", read: "Read", write: "Write" },
    fetchUntrusted: () =>
      Promise.resolve(Response.json({ ...document, ...changes }, headers ? { headers } : {})),
    ...config,
  });
}

const request = { client_id, redirect_uri, resource, scope: "read" };

/** Walks through the flow of a client that is known by its document. */
async function flow(
  kit: Kit,
  asked: Fields = {},
  atToken: Fields = {},
): Promise<Partial<ResponseBody>> {
  const code = present((await kit.authorize({ ...request, ...asked })).get("code"));
  const fields = { client_id, redirect_uri: undefined, resource, ...atToken };
  return (await kit.redeem(code, fields)).body;
}

async function metadataOf(kit: Kit, path = "/.well-known/oauth-authorization-server") {
  return await read(await kit.get(path));
}

/** Registers a public client. */
async function register(kit: Kit, metadata: object) {
  const body = JSON.stringify({ token_endpoint_auth_method: "none", ...metadata });
  const headers = { "Content-Type": "application/json" };
  const sent = new Request(`${kit.issuer}/oauth2/register`, { method: "POST", headers, body });
  return await read(await kit.server.fetch(sent));
}

describe("An authorization server of the Model Context Protocol (2026-07-28)", () => {
  const places = [
    ["https://auth.example", "/.well-known/oauth-authorization-server"],
    ["https://auth.example", "/.well-known/openid-configuration"],
    ["https://auth.example/tenant1", "/.well-known/oauth-authorization-server/tenant1"],
    ["https://auth.example/tenant1", "/.well-known/openid-configuration/tenant1"],
    ["https://auth.example/tenant1", "/tenant1/.well-known/openid-configuration"],
  ] as const;
  for (const [issuer, path] of places) {
    it(`P01 P12 describes ${issuer} at ${path}, with its issuer and S256`, async () => {
      const kit = openMcp({ config: { issuer } });
      const response = await kit.server.fetch(new Request(new URL(path, issuer)));
      const { status, body } = await read(response);
      assertEquals<unknown>([status, body.issuer, body.code_challenge_methods_supported], [
        200,
        issuer,
        ["S256"],
      ]);
    });
  }

  it("P02 names its issuer in a response with a code, and in one with an error", async () => {
    const kit = openMcp();
    const { body } = await metadataOf(kit);
    assertEquals(body.authorization_response_iss_parameter_supported, true);
    const granted = await kit.authorize(request);
    const configured = openMcp({
      config: { clients: [{ id: "app", redirectUris: [redirect_uri] }] },
    });
    const denied = await configured.authorize({ ...request, client_id: "app" }, {
      decision: "deny",
    });
    const wrong = await configured.authorize({
      ...request,
      client_id: "app",
      resource: "https://other.example",
    });
    assertEquals([granted, denied, wrong].map((each) => [each.get("error"), each.get("iss")]), [
      [null, kit.issuer],
      ["access_denied", kit.issuer],
      ["invalid_target", kit.issuer],
    ]);
  });

  it("P03 P04 P09 serves a client by the document of draft-00, with a token for its server alone", async () => {
    const kit = openMcp();
    assertEquals((await metadataOf(kit)).body.client_id_metadata_document_supported, true);
    const { access_token, scope } = await flow(kit);
    const claims = claimsOf(present(access_token));
    assertEquals([claims.aud, claims.client_id, scope], [resource, client_id, "read"]);
  });

  for (
    const type of [
      "application/json",
      "application/client-id+json",
      "application/json; charset=utf-8",
    ]
  ) {
    it(`P04 takes a document of the type ${type}`, async () => {
      const kit = openMcp({ headers: { "Content-Type": type } });
      assert((await flow(kit)).access_token);
    });
  }

  const documents: Array<[what: string, changes: object]> = [
    ["that names another client", { client_id: `${client_id}?` }],
    ["that names no client", { client_id: undefined }],
    ["without redirect URIs", { redirect_uris: undefined }],
    ["with other redirect URIs", { redirect_uris: ["https://editor.example/callback"] }],
    ["with a redirect URI of plain http", { redirect_uris: ["http://editor.example/callback"] }],
    ["with a redirect URI of another scheme", {
      redirect_uris: ["com.example.editor:/callback", redirect_uri],
    }],
    ["with a secret", { client_secret: "s" }],
    ["that authenticates with a secret", { token_endpoint_auth_method: "client_secret_post" }],
    ["without a name", { client_name: 7 }],
  ];
  for (const [what, changes] of documents) {
    it(`P04 P16 sends nobody to a client with a document ${what}`, async () => {
      const kit = openMcp({ document: changes });
      const response = await kit.ask(request);
      assertEquals([response.status, response.headers.get("Location")], [400, null]);
    });
  }

  for (const profile of ["mcp", "oauth-2.1"] as const) {
    it(`P05 lists 'none' where documents are on, under ${profile}: clients look for it, since a document has no secret`, async () => {
      const { body } = await metadataOf(
        openMcp({ config: { profile, clientMetadataDocuments: true } }),
      );
      assert(body.token_endpoint_auth_methods_supported.includes("none"));
      assert(body.token_endpoint_auth_methods_supported.includes("private_key_jwt"));
    });
  }

  it("P06 offers no registration by default, and offers it where the configuration wants it", async () => {
    const endpointOf = async (config: Partial<Config>) =>
      (await metadataOf(openMcp({ config }))).body.registration_endpoint;
    assertEquals([await endpointOf({}), await endpointOf({ registration: "open" })], [
      undefined,
      "https://hallpass.test/oauth2/register",
    ]);
    assertEquals((await openMcp().post("/oauth2/register", {})).status, 404);
  });

  const registrations: Array<[what: string, metadata: object, expected: unknown[]]> = [
    ["native, with loopback", { application_type: "native", redirect_uris: [redirect_uri] }, [
      201,
      "native",
    ]],
    ["native, with loopback of no port", {
      application_type: "native",
      redirect_uris: ["http://127.0.0.1/cb"],
    }, [201, "native"]],
    ["of no type, with loopback", { redirect_uris: [redirect_uri] }, [201, "native"]],
    ["web, with https", { application_type: "web", redirect_uris: ["https://a.example/cb"] }, [
      201,
      "web",
    ]],
    ["of no type, with https", { redirect_uris: ["https://a.example/cb"] }, [201, "web"]],
    ["of an unknown type", { application_type: "desktop", redirect_uris: [redirect_uri] }, [
      400,
      undefined,
    ]],
    ["native, with plain http", {
      application_type: "native",
      redirect_uris: ["http://a.example/cb"],
    }, [400, undefined]],
    ["native, with another scheme", {
      application_type: "native",
      redirect_uris: ["com.example.a:/cb"],
    }, [400, undefined]],
  ];
  for (const [what, metadata, expected] of registrations) {
    it(`P07 P16 registers, or refuses, a client that is ${what}`, async () => {
      const kit = openMcp({ config: { registration: "open" } });
      const { status, body } = await register(kit, metadata);
      assertEquals([status, body.application_type], expected);
    });
  }

  const spellings: Array<[configured: string, asked: string, atToken: string | undefined]> = [
    [resource, resource, resource],
    [resource, `${resource}/`, `${resource}/`],
    [resource, `${resource}/`, resource],
    [resource, resource, `${resource}/`],
    [resource, "HTTPS://MCP.Example/tools", "https://mcp.EXAMPLE/tools/"],
    [resource, resource, undefined],
    [`${resource}/`, resource, resource],
    ["https://mcp.example", "https://mcp.example/", "https://mcp.example"],
    ["https://mcp.example:8443", "https://mcp.example:8443/", "https://mcp.example:8443"],
  ];
  for (const [configured, asked, atToken] of spellings) {
    it(`P08 gives a token for ${configured}, asked for as ${asked} and ${atToken}`, async () => {
      const kit = openMcp({ config: { resources: [configured] } });
      const { access_token } = await flow(kit, { resource: asked }, { resource: atToken });
      assertEquals(claimsOf(present(access_token)).aud, configured);
    });
  }

  const others = [
    "https://mcp.example/Tools",
    "https://mcp.example/tools//",
    "https://mcp.example/tools/a",
    "https://mcp.example/tools?",
    "https://mcp.example/tools?a=b",
    "https://mcp.example/./tools",
    "https://mcp.example/%74ools",
    "http://mcp.example/tools",
    "https://mcp.example:8443/tools",
    "https://user@mcp.example/tools",
    "https://mcp.example",
  ];
  for (const other of others) {
    it(`P08 gives none for ${other}, which is another resource`, async () => {
      const url = openMcp().authorizationUrl({ ...request, resource: other });
      const kit = openMcp();
      assertStringIncludes(
        await (await kit.get(url.slice(kit.issuer.length))).text(),
        "invalid_target",
      );
      assertEquals((await flow(openMcp(), {}, { resource: other })).error, "invalid_target");
    });
  }

  it("P08 keeps two resources apart that differ by the slash, if both are configured", async () => {
    const kit = openMcp({ config: { resources: [resource, `${resource}/`] } });
    const audienceOf = async (asked: string) =>
      claimsOf(present((await flow(kit, { resource: asked }, { resource: asked })).access_token))
        .aud;
    assertEquals([await audienceOf(resource), await audienceOf(`${resource}/`)], [
      resource,
      `${resource}/`,
    ]);
    // A token for the one would end up at the other.
    const mixed = await flow(kit, { resource }, { resource: `${resource}/` });
    assertEquals([mixed.error, mixed.access_token], ["invalid_target", undefined]);
  });

  const asksToRefresh = ["authorization_code", "refresh_token"];
  const refreshes: Array<[what: string, changes: object, scope: string, hasToken: boolean]> = [
    ["that lists the grant", { grant_types: asksToRefresh }, "read", true],
    [
      "that lists the grant and asks for offline access",
      { grant_types: asksToRefresh },
      "read offline_access",
      true,
    ],
    ["that does not list the grant", {}, "read", false],
    ["that only asks for offline access", {}, "read offline_access", false],
  ];
  for (const [what, changes, scope, hasToken] of refreshes) {
    it(`P10 gives ${hasToken ? "a" : "no"} refresh token to a client ${what} (SEP-2207)`, async () => {
      const kit = openMcp({ document: changes });
      assert((await metadataOf(kit)).body.scopes_supported.includes("offline_access"));
      const { access_token, refresh_token } = await flow(kit, { scope });
      assertEquals([access_token !== undefined, refresh_token !== undefined], [true, hasToken]);
    });
  }

  it("P11 replaces the refresh token of a public client at each use, also for the resource with a slash", async () => {
    const kit = openMcp({ document: { grant_types: asksToRefresh } });
    const { refresh_token } = await flow(kit);
    const fields = { grant_type: "refresh_token", refresh_token, client_id };
    const { body } = await kit.token({ ...fields, resource: `${resource}/` });
    assertEquals(claimsOf(body.access_token).aud, resource);
    assert(body.refresh_token && body.refresh_token !== refresh_token);
    assertEquals((await kit.token(fields)).body.error, "invalid_grant");
  });

  it("P12 refuses a request without a challenge, and one with plain", async () => {
    for (const changes of [{ code_challenge: undefined }, { code_challenge_method: "plain" }]) {
      const kit = openMcp();
      const url = kit.authorizationUrl({ ...request, ...changes });
      const text = await (await kit.get(url.slice(kit.issuer.length))).text();
      assertStringIncludes(text, "invalid_request");
    }
  });

  it("P13 shows on the consent page who asks, where the answer goes, and that it is this device", async () => {
    const shown = async (uri: string) => {
      const kit = openMcp({ document: { redirect_uris: [uri] } });
      const browser = kit.browser();
      const signIn = await browser.open(kit.authorizationUrl({ ...request, redirect_uri: uri }));
      const fields = { username: "alice", password: "alice" };
      return textOf((await browser.submit(signIn, "sign-in", fields)).html);
    };
    const onDevice = await shown(redirect_uri);
    assertStringIncludes(onDevice, "editor.example");
    assertStringIncludes(onDevice, "a program on this device");
    assertStringIncludes(await shown("https://other.example/cb"), "other.example");
  });

  it("P14 gives access tokens that live for at most an hour", async () => {
    const { access_token } = await flow(openMcp());
    const { iat, exp } = claimsOf(present(access_token));
    assert(exp - iat <= 3600);
  });

  it("P15 gives a client that steps up the scopes that it had and the new one", async () => {
    const kit = openMcp();
    assertEquals((await flow(kit)).scope, "read");
    assertEquals((await flow(kit, { scope: "read write" })).scope, "read write");
  });

  it("P15 gives a client that asks for no scope its default one", async () => {
    assertEquals((await flow(openMcp(), { scope: undefined })).scope, "read write");
  });

  /** Registers as the official SDKs do: with the scope of the first challenge alone. */
  async function stepUpRegistered(config: Partial<Config>): Promise<Array<string | undefined>> {
    const kit = openMcp({ config });
    const metadata = { ...document, client_id: undefined, scope: "read" };
    const { body } = await register(kit, metadata);
    const id = { client_id: present(body.client_id) };
    const steps: Array<string | undefined> = [];
    for (const scope of [undefined, "read", "read write"]) {
      steps.push((await flow(kit, { ...id, scope }, id)).scope);
    }
    return steps;
  }

  it("P15 lets a client step up that registered for the scope of its first challenge alone", async () => {
    assertEquals(await stepUpRegistered({ registration: "open" }), ["read", "read", "read write"]);
  });

  it("P17 lets a client on the user's machine listen on any port", async () => {
    const kit = openMcp({ document: { redirect_uris: ["http://127.0.0.1/callback"] } });
    const uri = "http://127.0.0.1:51234/callback";
    assert((await flow(kit, { redirect_uri: uri })).access_token);
  });
});

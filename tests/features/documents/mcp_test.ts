import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe } from "node:test";
import { type Config, createFullServer } from "../../../src/server/features.ts";
import { documentsServer } from "../../../src/server/features/documents/config.ts";
import { policyOf } from "../../../src/server/features/registration/registration_policy.ts";
import { type Browser, type Page, textOf } from "../../support/browser.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { itWith } from "../../support/it_with.ts";
import {
  claimsOf,
  type Fields,
  type Kit,
  openKit,
  openStrictKit,
  read,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { register } from "../../support/registration.ts";
import { hasFeature } from "../../support/where_feature.ts";
import type { ResponseBody } from "../../support/wire.ts";

/** What an authorization server does for the Model Context Protocol of 2026-07-28, by its rows. */

const it = itWith({ inMcp: () => openMcp() });

const resource = "https://mcp.example/tools";
const client_id = "https://editor.example/client.json";
const redirect_uri = "http://localhost:3000/callback";
const asksToRefresh = { grant_types: ["authorization_code", "refresh_token"] };
const request = { client_id, redirect_uri, resource, scope: "read" };

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

/** Opens a server as `hallpass serve` runs it, for one MCP server. */
function openMcp(config: Partial<Config> = {}, changes: object = {}, type?: string): Kit {
  const headers = type === undefined ? {} : { "Content-Type": type };
  return openStrictKit({
    profile: "mcp",
    resources: [resource],
    scopes: { openid: "Sign in", offline_access: "Offline", read: "Read", write: "Write" },
    fetchUntrusted: async () => Response.json({ ...document, ...changes }, { headers }),
    ...config,
  });
}

/** Walks through the flow of a client that is known by its document. */
async function flow(
  kit: Kit,
  asked: Fields = {},
  atToken: Fields = {},
): Promise<Partial<ResponseBody>> {
  const code = await kit.code({ ...request, ...asked });
  const fields = { client_id, redirect_uri: undefined, resource, ...atToken };
  return (await kit.redeem(code, fields)).body;
}

const audienceOf = ({ access_token }: Partial<ResponseBody>) => claimsOf(present(access_token)).aud;

/** Returns where an authorization request ends: at the callback, or on a page. */
async function endOf(kit: Kit, changes: Fields): Promise<string> {
  const response = await kit.ask({ ...request, ...changes });
  return response.headers.get("Location") ?? await response.text();
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
      const { server } = openMcp({ issuer });
      const { status, body } = await read(await server.fetch(new Request(new URL(path, issuer))));
      assertEquals([status, body.issuer], [200, issuer]);
      assertEquals(body.code_challenge_methods_supported, ["S256"]);
    });
  }

  it.inMcp("P02 names its issuer in a response with a code, and in one with an error", async (kit) => {
    const { authorization_response_iss_parameter_supported } = await kit.metadata();
    assertEquals(authorization_response_iss_parameter_supported, true);
    const configured = openMcp({ clients: [{ id: "app", redirectUris: [redirect_uri] }] });
    const app = { ...request, client_id: "app" };
    const responses = [
      await kit.authorize(request),
      await configured.authorize(app, { decision: "deny" }),
      await configured.authorize({ ...app, resource: "https://other.example" }),
    ];
    assertEquals(responses.map((each) => [each.get("error"), each.get("iss")]), [
      [null, kit.issuer],
      ["access_denied", kit.issuer],
      ["invalid_target", kit.issuer],
    ]);
  });

  it.inMcp("P03 P04 P09 serves a client by the document of draft-00, with a token for its server alone", async (kit) => {
    assertEquals((await kit.metadata()).client_id_metadata_document_supported, true);
    const { access_token, scope } = await flow(kit);
    const claims = claimsOf(present(access_token));
    assertEquals([claims.aud, claims.client_id, scope], [resource, client_id, "read"]);
  });

  const types = ["application/json", "application/client-id+json"];
  for (const type of [...types, "application/json; charset=utf-8"]) {
    it(`P04 takes a document of the type ${type}`, async () => {
      assert((await flow(openMcp({}, {}, type))).access_token);
    });
  }

  const uris = ["https://editor.example/callback", "http://editor.example/callback"];
  for (const redirect_uris of [...uris.map((uri) => [uri]), ["com.example:/cb", redirect_uri]]) {
    it(`P04 P16 sends nobody to a client whose document has only ${redirect_uris}`, async () => {
      const response = await openMcp({}, { redirect_uris }).ask(request);
      assertEquals([response.status, response.headers.get("Location")], [400, null]);
    });
  }

  for (const profile of ["mcp", "oauth-2.1"] as const) {
    it(`P05 lists 'none' where documents are on, under ${profile}: clients look for it, since a document has no secret`, async () => {
      const kit = openMcp({ profile, clientMetadataDocuments: true });
      const { token_endpoint_auth_methods_supported } = await kit.metadata();
      for (const method of ["none", "private_key_jwt"]) {
        assert(token_endpoint_auth_methods_supported.includes(method));
      }
    });
  }

  it.inMcp("P06 offers no registration by default, and offers it where the configuration wants it", async (kit) => {
    const kits = [kit, openMcp({ registration: "open" }), openKit({ profile: "mcp" })];
    const endpoint = "https://hallpass.test/oauth2/register";
    const offered = kits.map(({ server }) => server.context.metadata().registration_endpoint);
    assertEquals(offered, [undefined, endpoint, endpoint]);
    assertEquals((await kit.post("/oauth2/register", {})).status, 404);
  });

  const at = (uri: string, application_type?: string) => ({
    redirect_uris: [uri],
    application_type,
  });
  const registrations: Array<[what: string, metadata: object, type?: string]> = [
    ["native, with loopback", at(redirect_uri, "native"), "native"],
    ["native, with loopback of no port", at("http://127.0.0.1/cb", "native"), "native"],
    ["of no type, with loopback", at(redirect_uri), "native"],
    ["web, with https", { application_type: "web" }, "web"],
    ["of no type, with https", {}, "web"],
    ["of an unknown type", at(redirect_uri, "desktop")],
    ["native, with plain http", at("http://a.example/cb", "native")],
    ["native, with another scheme", at("com.example.a:/cb", "native")],
  ];
  for (const [what, metadata, type] of registrations) {
    it(`P07 P16 ${type ? "registers" : "refuses"} a client that is ${what}`, async () => {
      const { status, body } = await register(openMcp({ registration: "open" }), metadata);
      assertEquals([status, body.application_type], [type ? 201 : 400, type]);
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
      const kit = openMcp({ resources: [configured] });
      assertEquals(
        audienceOf(await flow(kit, { resource: asked }, { resource: atToken })),
        configured,
      );
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
    it.inMcp(`P08 gives none for ${other}, which is another resource`, async (kit) => {
      assertStringIncludes(await endOf(kit, { resource: other }), "invalid_target");
      assertEquals((await flow(kit, {}, { resource: other })).error, "invalid_target");
    });
  }

  it("P08 keeps two resources apart that differ by the slash, if both are configured", async () => {
    const kit = openMcp({ resources: [resource, `${resource}/`] });
    for (const each of [{ resource }, { resource: `${resource}/` }]) {
      assertEquals(audienceOf(await flow(kit, each, each)), each.resource);
    }
    // A token for the one would end up at the other.
    const mixed = await flow(kit, { resource }, { resource: `${resource}/` });
    assertEquals([mixed.error, mixed.access_token], ["invalid_target", undefined]);
  });

  const refreshes: Array<[what: string, changes: object, scope: string, hasToken: boolean]> = [
    ["that lists the grant", asksToRefresh, "read", true],
    [
      "that lists the grant and asks for offline access",
      asksToRefresh,
      "read offline_access",
      true,
    ],
    ["that does not list the grant", {}, "read", false],
    ["that only asks for offline access", {}, "read offline_access", false],
  ];
  for (const [what, changes, scope, hasToken] of refreshes) {
    it(`P10 gives ${hasToken ? "a" : "no"} refresh token to a client ${what} (SEP-2207)`, async () => {
      const kit = openMcp({}, changes);
      assert((await kit.metadata()).scopes_supported.includes("offline_access"));
      const { access_token, refresh_token } = await flow(kit, { scope });
      assertEquals([access_token !== undefined, refresh_token !== undefined], [true, hasToken]);
    });
  }

  it("P11 replaces the refresh token of a public client at each use, also for the resource with a slash", async () => {
    const kit = openMcp({}, asksToRefresh);
    const { refresh_token = "" } = await flow(kit);
    const { body } = await kit.refresh(refresh_token, { client_id, resource: `${resource}/` });
    assertEquals(audienceOf(body), resource);
    assert(body.refresh_token && body.refresh_token !== refresh_token);
    assertEquals((await kit.refresh(refresh_token, { client_id })).body.error, "invalid_grant");
  });

  for (const changes of [{ code_challenge: undefined }, { code_challenge_method: "plain" }]) {
    it.inMcp(`P12 refuses a request with another ${Object.keys(changes)}`, async (kit) => {
      assertStringIncludes(await endOf(kit, changes), "invalid_request");
    });
  }

  it("P13 shows on the consent page who asks, where the answer goes, and that it is this device", async () => {
    const shown = async (uri: string) => {
      const kit = openMcp({}, { redirect_uris: [uri] });
      const browser = kit.browser();
      const signIn = await browser.open(kit.authorizationUrl({ ...request, redirect_uri: uri }));
      return textOf((await browser.signIn(signIn)).html);
    };
    const onDevice = await shown(redirect_uri);
    assertStringIncludes(onDevice, "editor.example");
    assertStringIncludes(onDevice, "a program on this device");
    assertStringIncludes(await shown("https://other.example/cb"), "other.example");
  });

  it.inMcp("P14 gives access tokens that live for at most an hour", async (kit) => {
    const { iat, exp } = claimsOf(present((await flow(kit)).access_token));
    assert(exp - iat <= 3600);
  });

  it.inMcp("P15 gives a client that asks for no scope its default one", async (kit) => {
    assertEquals((await flow(kit, { scope: undefined })).scope, "read write");
  });

  it("P15 lets a client step up that registered for the scope of its first challenge alone", async () => {
    const kit = openMcp({ registration: "open" });
    // The official SDKs register so.
    const { body } = await register(kit, { ...document, client_id: undefined, scope: "read" });
    const id = { client_id: body.client_id };
    for (const scope of [undefined, "read", "read write"]) {
      assertEquals((await flow(kit, { ...id, scope }, id)).scope, scope ?? "read");
    }
  });

  it("P17 lets a client on the user's machine listen on any port", async () => {
    const kit = openMcp({}, { redirect_uris: ["http://127.0.0.1/callback"] });
    const asked = { redirect_uri: "http://127.0.0.1:51234/callback" };
    assert((await flow(kit, asked)).access_token);
  });

  it("has a client of the configuration repeat its redirect URI, as everywhere", async () => {
    const kit = openKit({ profile: "mcp", resources: [resource] });
    const { body } = await kit.redeem(await kit.code(), { redirect_uri: undefined });
    assertEquals(body.error, "invalid_request");
  });
});

describe("The settings of the profile mcp (Model Context Protocol, Authorization)", () => {
  const config: Config = { issuer: "https://id.example", profile: "mcp", resources: [resource] };

  it("P06 enable metadata documents, and no registration, which is deprecated there", () => {
    const { settings } = createFullServer({ ...config, fetchUntrusted: fetch }).context;
    const { clientMetadataDocuments } = documentsServer.of(settings);
    assertEquals([policyOf(settings).open, clientMetadataDocuments], [false, true]);
  });

  it("can be restricted", () => {
    const { settings } = createFullServer({ ...config, clientMetadataDocuments: false }).context;
    assertEquals(documentsServer.of(settings).clientMetadataDocuments, false);
  });

  if (hasFeature("pushed authorization requests")) {
    it("must not contradict it", () => {
      assertEquals(problemsOf({ ...config, resources: [], requirePar: true }), [
        "resources must name the servers that tokens are meant for under the profile mcp (Model Context Protocol, Authorization, section 'Resource Parameter Implementation')",
        "requirePar must be false, because the clients of this protocol push no requests, under the profile mcp (Model Context Protocol, Authorization, section 'Authorization Flow Steps')",
        "clientMetadataDocuments needs fetchUntrusted, a safe way to fetch the documents; hallpass/serve has guardedFetch(), and clientDocument() of hallpass/testing needs neither",
      ]);
    });
  }
});

describe("A step-up (MCP 2026-07-28, Step-Up Authorization Flow; SEP-2350)", () => {
  const it = itWith({ inBoth: () => openBoth() });

  /** Opens a server with a configured client and one that is known by its document. */
  function openBoth(): Kit {
    const app = { id: "app", redirectUris: [redirect_uri], grantTypes: asksToRefresh.grant_types };
    const scopes = { read: "Read your notes", write: "Change your notes" };
    return openMcp({ scopes, clients: [app] }, asksToRefresh);
  }

  const wider = (client_id: string) => ({ ...request, client_id, scope: "read write" });

  /** Signs in for `read`, and returns the tokens, and the browser in which Alice stays signed in. */
  async function begin(kit: Kit, client_id: string) {
    const browser = kit.browser();
    const code = (await kit.authorize({ ...request, client_id }, {}, browser)).get("code");
    const { body } = await kit.redeem(present(code), { client_id, redirect_uri, resource });
    return { browser, tokens: body };
  }

  /** Opens the consent page of the step-up, which asks for the old scope and the new one. */
  async function stepUp(kit: Kit, browser: Browser, client_id: string): Promise<Page> {
    return await browser.open(kit.authorizationUrl(wider(client_id)));
  }

  const isActive = async (kit: Kit, client_id: string, refresh_token: string) =>
    (await kit.refresh(refresh_token, { client_id })).status === 200;

  it.inBoth("P15 asks for what is new, and shows apart what a configured client has", async (kit) => {
    const { browser } = await begin(kit, "app");
    const text = textOf((await stepUp(kit, browser, "app")).html);
    const [asked = "", before = ""] = text.split("Already allowed");
    assertMatch(asked, /Change your notes/);
    assertNotMatch(asked, /Read your notes/);
    assertMatch(before, /Read your notes/);
  });

  it.inBoth("P15 asks for all of it again for a client that described itself, and claims nothing before", async (kit) => {
    const { browser } = await begin(kit, client_id);
    const text = textOf((await stepUp(kit, browser, client_id)).html);
    assertMatch(text, /Change your notes/);
    assertMatch(text, /Read your notes/);
    assertNotMatch(text, /Already allowed/);
  });

  for (const id of ["app", client_id]) {
    it.inBoth(`P15 gives a token for both scopes, and leaves the first tokens active: ${id}`, async (kit) => {
      const { browser, tokens } = await begin(kit, id);
      const code = present((await kit.authorize(wider(id), {}, browser)).get("code"));
      const { body } = await kit.redeem(code, { client_id: id, redirect_uri, resource });
      assertEquals([tokens.scope, body.scope], ["read", "read write"]);
      assert(await isActive(kit, id, tokens.refresh_token));
      assert(await isActive(kit, id, body.refresh_token));
    });

    it.inBoth(`P15 leaves a client what it has if the user denies: ${id}`, async (kit) => {
      const { browser, tokens } = await begin(kit, id);
      const { url, html } = await browser.decide(await stepUp(kit, browser, id), "deny");
      assertMatch(url + html, /access_denied/);
      assert(await isActive(kit, id, tokens.refresh_token));
    });

    it.inBoth(`P15 is never silent: ${id}`, async (kit) => {
      const { browser } = await begin(kit, id);
      const silent = kit.authorizationUrl({ ...wider(id), prompt: "none" });
      const { url, html } = await browser.open(silent);
      assertMatch(url + html, /consent_required|interaction_required|access_denied/);
      assertNotMatch(url, /[?&]code=/);
    });
  }

  it.inBoth("P15 cannot be had at the token endpoint", async (kit) => {
    const { tokens } = await begin(kit, "app");
    const asked = { client_id: "app", scope: "read write" };
    assertEquals((await kit.refresh(tokens.refresh_token, asked)).body.error, "invalid_scope");
  });
});

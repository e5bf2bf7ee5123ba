import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type HostedMetadata, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { testClient, type TestClientOptions } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ withMcp: needs("mcp") });

const issuer = "http://localhost:9000";
const isPublic = { response_types: ["code"], token_endpoint_auth_method: "none" };
const withRefresh = ["authorization_code", "refresh_token"];

type PublishedDocument = HostedMetadata & { client_id: string } & Record<string, unknown>;

/**
 * The documents of known clients as they were published on the named day, without names and logos,
 * and the redirect URI that the client sends. None of them has a scope.
 */
const documents: Array<[day: string, redirectUri: string, document: PublishedDocument]> = [
  ["2026-09-13", "https://claude.ai/api/mcp/auth_callback", {
    ...isPublic,
    client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    grant_types: [...withRefresh, "urn:ietf:params:oauth:grant-type:jwt-bearer"],
  }],
  ["2026-09-08", "http://localhost:3118/callback", {
    ...isPublic,
    client_id: "https://claude.ai/oauth/claude-code-client-metadata",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    grant_types: withRefresh,
  }],
  ["2026-09-08", "http://127.0.0.1:33418/", {
    ...isPublic,
    client_id: "https://vscode.dev/oauth/client-metadata.json",
    redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    grant_types: [...withRefresh, "urn:ietf:params:oauth:grant-type:device_code"],
    application_type: "native",
  }],
  ["2026-09-08", "https://chatgpt.com/connector_platform_oauth_redirect", {
    response_types: ["code"],
    client_id: "https://chatgpt.com/oauth/client.json",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    grant_types: withRefresh,
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg: "RS256",
    jwks_uri: "https://chatgpt.com/oauth/jwks.json",
  }],
];

/** Signs alice in to a client for the MCP server of the lab, and returns its code, or throws. */
const codeOf = (lab: TestLab, asked: TestClientOptions): Promise<string> =>
  testClient(asked).code(lab, { resource: lab.mcp().url });

describe("Under the profile mcp, a client that is known by its metadata document", () => {
  for (const [day, redirect_uri, document] of documents) {
    const { client_id } = document;
    it.withMcp(`P04 P15 steps up with the document that was published on ${day}: ${client_id}`, async () => {
      await using lab = await hallpass({ issuer, profile: "mcp" });
      lab.clientDocument(document);
      for (const scope of ["read", "read write"]) {
        assert(await codeOf(lab, { client_id, redirect_uri, scope }));
      }
    });

    it(`Z8: gets minted tokens before it has sent a request: ${client_id}`, async () => {
      await using lab = await hallpass({ issuer, profile: "mcp" });
      lab.clientDocument(document);
      const of = { client: client_id, scope: "openid" };
      const { access_token } = await lab.mint({ sub: "alice", ...of });
      assertEquals((await testClient().userinfo(lab, access_token)).status, 200);
    });
  }

  it.withMcp("P15 gets no more than the scope in its document, which it wrote for every server", async () => {
    await using lab = await hallpass({ issuer, profile: "mcp" });
    const redirect_uri = "http://127.0.0.1:3000/callback";
    const document = { ...isPublic, redirect_uris: [redirect_uri], scope: "read" };
    const client_id = lab.clientDocument(document).url;
    assert(await codeOf(lab, { client_id, redirect_uri, scope: "read" }));
    const wider = codeOf(lab, { client_id, redirect_uri, scope: "read write" });
    await assertRejects(() => wider, Error, "must be one of: read.");
  });
});

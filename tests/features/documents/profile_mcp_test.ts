import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { claimsOf, type Kit, openKit, read } from "../../support/kit.ts";

const resource = "https://mcp.example/tools";
const client_id = "https://editor.example/client.json";
const portless = "http://127.0.0.1/callback";
const redirect_uri = "http://127.0.0.1:4711/callback";
const document = {
  client_id,
  client_name: "Editor",
  redirect_uris: [portless],
  token_endpoint_auth_method: "none",
};

function openMcp(): Kit {
  return openKit({
    profile: "mcp",
    resources: [resource],
    fetchUntrusted: async () => Response.json(document),
  });
}

/** Walks through a flow whose token request does not repeat the redirect URI. */
async function tokensOf(kit: Kit, id: string) {
  const code = (await kit.authorize({ client_id: id, redirect_uri, resource, scope: "read" })).get(
    "code",
  )!;
  return await kit.redeem(code, { client_id: id, redirect_uri: undefined, resource });
}

describe("The profile mcp (Model Context Protocol, Authorization)", () => {
  it("advertises everything that its clients look for", async () => {
    const { body } = await read(await openMcp().get("/.well-known/oauth-authorization-server"));
    assertEquals(body.code_challenge_methods_supported, ["S256"]);
    assertEquals([
      body.client_id_metadata_document_supported,
      body.authorization_response_iss_parameter_supported,
    ], [true, true]);
    assertEquals(body.registration_endpoint, "https://hallpass.test/oauth2/register");
  });

  it("serves a client that is known by its metadata document, on any loopback port", async () => {
    const { status, body } = await tokensOf(openMcp(), client_id);
    assertEquals([status, claimsOf(body.access_token).aud], [200, resource]);
  });

  it("serves a client that registers", async () => {
    const kit = openMcp();
    const headers = { "Content-Type": "application/json" };
    const metadata = JSON.stringify({
      redirect_uris: [portless],
      token_endpoint_auth_method: "none",
    });
    const registered = await read(
      await kit.request("/oauth2/register", { method: "POST", headers, body: metadata }),
    );
    const { status, body } = await tokensOf(kit, registered.body.client_id);
    assertEquals([status, claimsOf(body.access_token).aud], [200, resource]);
  });

  it("gives no token for a server that is not configured", async () => {
    const kit = openMcp();
    const url = kit.authorizationUrl({
      client_id,
      redirect_uri,
      resource: "https://other.example",
    });
    const response = await kit.get(url.slice(kit.issuer.length));
    assertStringIncludes(
      response.headers.get("Location") ?? await response.text(),
      "invalid_target",
    );
  });

  it("lets a client of the configuration repeat its redirect URI, as everywhere", async () => {
    const kit = openMcp();
    assertEquals(
      (await kit.redeem(await kit.code(), { redirect_uri: undefined })).body.error,
      "invalid_request",
    );
  });
});

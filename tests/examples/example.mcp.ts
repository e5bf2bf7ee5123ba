import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";

const redirectUri = "http://localhost:3000/callback";

it("registers an MCP client and gets a token for its server", async () => {
  await using lab = await hallpass({ profile: "mcp" });
  const fetchFn = lab.fetch;
  const resource = new URL("https://mcp.example/");
  const metadata = await discoverAuthorizationServerMetadata(lab.issuer, { fetchFn });
  const clientMetadata = { client_name: "Notes", redirect_uris: [redirectUri] };
  const clientInformation = await registerClient(lab.issuer, { metadata, clientMetadata, fetchFn });

  const begun = await startAuthorization(lab.issuer, {
    metadata,
    clientInformation,
    redirectUrl: redirectUri,
    resource,
  });
  const { code } = await lab.authorize(begun.authorizationUrl.href, { user: "alice" });
  const tokens = await exchangeAuthorization(lab.issuer, {
    metadata,
    clientInformation,
    authorizationCode: code!,
    codeVerifier: begun.codeVerifier,
    redirectUri,
    resource,
    fetchFn,
  });

  assert.equal(tokens.token_type, "Bearer");
  lab.assertClean();
});

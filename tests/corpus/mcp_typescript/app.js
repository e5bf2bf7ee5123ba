// MCP TypeScript SDK 1.32.2, by its docs/server.md and docs/client.md: an MCP server that takes the
// tokens of another server, and a client that knows the address of the MCP server alone. The client
// shows what a tool answered.
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const { ISSUER, BASE_URL, PORT } = process.env;
const url = new URL(`${BASE_URL}/mcp`);
const metadataUrl = `${ISSUER}/.well-known/oauth-authorization-server`;
const oauthMetadata = await (await fetch(metadataUrl)).json();
const keys = createRemoteJWKSet(new URL(oauthMetadata.jwks_uri));

async function verifyAccessToken(token) {
  const { payload } = await jwtVerify(token, keys, { issuer: ISSUER, audience: url.href })
    .catch(({ message }) => {
      throw new InvalidTokenError(message);
    });
  const { client_id, scope = "", exp } = payload;
  return { token, clientId: client_id, scopes: scope.split(" "), expiresAt: exp, resource: url };
}

const app = express();
app.use(express.json());
app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url }));
const guard = requireBearerAuth({
  verifier: { verifyAccessToken },
  requiredScopes: ["reports"],
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
});
app.post("/mcp", guard, async (request, response) => {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool("read_notes", {}, ({ authInfo }) => ({
    content: [{ type: "text", text: `The notes of ${authInfo.clientId}` }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});

const kept = {};
let leads;
const authProvider = {
  redirectUrl: `${BASE_URL}/callback`,
  clientMetadata: {
    client_name: "Reader",
    redirect_uris: [`${BASE_URL}/callback`],
    grant_types: ["authorization_code", "refresh_token"],
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: (to) => void (leads = to),
};
const newTransport = () => new StreamableHTTPClientTransport(url, { authProvider });
let pending;

/** Calls the tool, or leads to where the user is asked. */
app.get("/account", async (request, response) => {
  if ("expired" in request.query) kept.tokens.access_token += "x";
  pending = newTransport();
  const client = new Client({ name: "reader", version: "1.0.0" });
  try {
    await client.connect(pending);
    const { content: [{ text }] } = await client.callTool({ name: "read_notes" });
    response.type("text").send(text);
  } catch (cause) {
    if (!(cause instanceof UnauthorizedError)) throw cause;
    response.redirect(leads.href);
  }
});
app.get("/callback", async (request, response) => {
  await pending.finishAuth(request.query.code);
  response.redirect("/account");
});

app.listen(PORT, "localhost");

/** @node-oauth/oauth2-server with a model in memory: `node oauth2_server.mjs PORT`. */
import OAuth2Server from "@node-oauth/oauth2-server";
import { createServer } from "node:http";
import process from "node:process";

const [port] = process.argv.slice(2);
const { Request, Response } = OAuth2Server;
const secret = "a-secret-of-32-characters-at-least";
const redirectUris = ["https://app.test/callback"];
const grants = ["authorization_code", "refresh_token", "client_credentials"];
const clients = new Map(
  ["app", "opaque", "service"].map((id) => [id, { id, grants, redirectUris }]),
);
const user = { id: "alice" };
const codes = new Map();
const accessTokens = new Map();
const refreshTokens = new Map();

const server = new OAuth2Server({
  model: {
    getClient: (id, given) => given && given !== secret ? undefined : clients.get(id),
    saveAuthorizationCode(code, client, user) {
      const saved = { ...code, client, user };
      codes.set(code.authorizationCode, saved);
      return saved;
    },
    getAuthorizationCode: (code) => codes.get(code),
    revokeAuthorizationCode: ({ authorizationCode }) => codes.delete(authorizationCode),
    saveToken(token, client, user) {
      const saved = { ...token, client, user };
      accessTokens.set(token.accessToken, saved);
      if (token.refreshToken) refreshTokens.set(token.refreshToken, saved);
      return saved;
    },
    getAccessToken: (token) => accessTokens.get(token),
    getRefreshToken: (token) => refreshTokens.get(token),
    revokeToken: ({ refreshToken }) => refreshTokens.delete(refreshToken),
    getUserFromClient: () => user,
    validateScope: (_user, _client, scope) => scope,
    verifyScope: () => true,
  },
});

createServer(async (message, reply) => {
  const { pathname, searchParams } = new URL(message.url, "http://localhost");
  let body = "";
  for await (const chunk of message) body += chunk;
  const { method, headers } = message;
  const query = Object.fromEntries(searchParams);
  const form = Object.fromEntries(new URLSearchParams(body));
  const request = new Request({ method, headers, query, body: form });
  const response = new Response();
  try {
    if (pathname === "/token") await server.token(request, response);
    else await server.authorize(request, response, { authenticateHandler: { handle: () => user } });
  } catch (cause) {
    response.body = { error: cause.name };
  }
  const text = JSON.stringify(response.body);
  const type = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  reply.writeHead(response.status, { ...response.headers, ...type }).end(text);
}).listen(Number(port), "127.0.0.1", () => console.log(`bench ready http://localhost:${port}`));

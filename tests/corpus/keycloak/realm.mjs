/**
 * Prints a realm whose users sign in at the identity provider of some lines. Its page asks for these
 * fields, and reads the rest from the discovery endpoint, as this does.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";

const lines = await readFile(process.argv[2], "utf8");
const field = (name) => {
  const [, value] = new RegExp(`^${name}:\\s*(.*)$`, "m").exec(lines) ?? [];
  return value;
};

const metadata = await (await fetch(field("Discovery endpoint"))).json();

const provider = {
  alias: field("Alias"),
  providerId: "oidc",
  enabled: true,
  config: {
    issuer: metadata.issuer,
    authorizationUrl: metadata.authorization_endpoint,
    tokenUrl: metadata.token_endpoint,
    userInfoUrl: metadata.userinfo_endpoint,
    logoutUrl: metadata.end_session_endpoint,
    jwksUrl: metadata.jwks_uri,
    validateSignature: "true",
    useJwksUrl: "true",
    clientAuthMethod: field("Client authentication") === "Client secret sent as post"
      ? "client_secret_post"
      : "client_secret_basic",
    clientId: field("Client ID"),
    clientSecret: field("Client secret"),
    defaultScope: field("Scopes"),
    pkceEnabled: String(field("Use PKCE") === "on"),
    pkceMethod: field("PKCE method"),
  },
};

console.log(JSON.stringify({
  realm: "lab",
  enabled: true,
  sslRequired: "none",
  identityProviders: [provider],
}));

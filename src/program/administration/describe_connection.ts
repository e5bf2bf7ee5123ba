import type { Context } from "../../server/issuer/context.ts";
import { type Client, isPublic } from "../../server/model/client.ts";
import type { ServerMetadata } from "../../server/model/server_metadata.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { pkceRequirementOf } from "../../server/protocol/pkce.ts";
import { shellQuote } from "../../server/util/text/shell_quote.ts";
import { printable } from "../terminal/printable.ts";

const pkceRequirements = {
  required: "S256; requests must have it",
  "or-nonce": "S256; without it, requests need a nonce. If the application has neither: ",
  optional: "S256; turn it on if the application can",
};

/** The endpoints that an application needs if it reads no metadata. */
const endpoints: Readonly<Record<string, keyof ServerMetadata>> = {
  "Authorization": "authorization_endpoint",
  "Token": "token_endpoint",
  "User info": "userinfo_endpoint",
  "Keys": "jwks_uri",
  "Sign-out": "end_session_endpoint",
};

/** Describes what to enter in the application of a client, in lines. */
export function describeConnection(ctx: Context, client: Client): string[] {
  const metadata = ctx.metadata();
  const { issuer, clients } = ctx.settings;
  const { id, authentication, grantTypes, redirectUris, scopes, groups } = client;
  const set = `hallpass client set ${shellQuote(id)}`;
  const isConfigured = clients.has(id);
  const pkce = pkceRequirementOf(client);
  const optional = isConfigured ? '"pkce": "optional"' : `${set} --pkce optional`;
  const signsIn = grantTypes.some((type) => type !== "client_credentials");
  // Settings of features
  const settings: Record<string, unknown> = { ...client };
  const urls = Object.entries(endpoints).map(([name, member]) => [name, metadata[member]] as const);
  return [
    ["Issuer", issuer],
    ["Metadata", issuerUrl(issuer, "/.well-known/openid-configuration")],
    ["Client ID", id],
    ["Secret", describeSecret(client, isConfigured)],
    ["Authentication", authentication.join(" or ")],
    ...redirectUris.map((uri) => ["Redirect URI", uri] as const),
    ["Scopes", scopes.join(" ") || `none; to add one: ${set} --add scope=NAME`],
    ["Groups", groups && `${groups.join(", ") || "none"}: no other user may use it`],
    ["PKCE", signsIn && pkceRequirements[pkce] + (pkce === "or-nonce" ? optional : "")],
    ["After sign-out", settings.postLogoutRedirectUris],
    ["Logout URI", settings.backchannelLogoutUri],
    ...urls.filter(([name]) => signsIn || name === "Token"),
  ].flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(" ") : value;
    return text ? [`  ${name}`.padEnd(20) + printable(String(text))] : [];
  });
}

function describeSecret(client: Client, isConfigured: boolean): string {
  if (isPublic(client)) return "none: the client is public";
  if (client.secrets.length === 0) return "none: the client has a key";
  if (isConfigured) return "the one in the configuration";
  return `shown once, by client add; for another: hallpass client secret ${client.id} --add`;
}

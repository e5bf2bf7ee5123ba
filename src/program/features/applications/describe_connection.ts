import type { Context } from "../../../server/issuer/context.ts";
import { type Client, isPublic } from "../../../server/model/client.ts";
import type { ServerMetadata } from "../../../server/model/server_metadata.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { pkceRequirementOf } from "../../../server/protocol/pkce.ts";
import { printable } from "../../terminal/printable.ts";

const pkceRequirements = {
  required: "S256; requests must have it",
  "or-nonce": "S256; turn it on if the application can, because without it a request needs a nonce",
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
  const { issuer } = ctx.settings;
  const { id, authentication, redirectUris, scopes, groups } = client;
  // Settings of features
  const settings: Record<string, unknown> = { ...client };
  const urls = Object.entries(endpoints).map(([name, member]) => [name, metadata[member]] as const);
  return [
    ["Issuer", issuer],
    ["Metadata", issuerUrl(issuer, "/.well-known/openid-configuration")],
    ["Client ID", id],
    ["Secret", describeSecret(ctx, client)],
    ["Authentication", authentication.join(" or ")],
    ...redirectUris.map((uri) => ["Redirect URI", uri] as const),
    ["Scopes", scopes.join(" ")],
    ["Groups", groups && `${groups.join(", ") || "none"}: no other user may use it`],
    ["PKCE", pkceRequirements[pkceRequirementOf(client)]],
    ["After sign-out", settings.postLogoutRedirectUris],
    ["Logout URI", settings.backchannelLogoutUri],
    ...urls,
  ].flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(" ") : value;
    return text ? [`  ${name}`.padEnd(20) + printable(String(text))] : [];
  });
}

function describeSecret({ settings }: Context, client: Client): string {
  if (isPublic(client)) return "none: the client is public";
  if (client.secrets.length === 0) return "none: the client has a key";
  if (settings.clients.has(client.id)) return "the one in the configuration";
  return `shown once, by client add; for another: hallpass client secret ${client.id} --add`;
}

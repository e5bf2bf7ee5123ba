import { addressOf } from "../http/address.ts";
import type { Client } from "../protocol/client.ts";
import { isPublic } from "../protocol/client.ts";
import type { ClientCredentials } from "../protocol/client_authentication.ts";
import { allowsMethod, readClientCredentials, refuseClient } from "../protocol/client_authentication.ts";
import { claimsOfScope } from "../protocol/claims.ts";
import { equalInConstantTime, sha256 } from "../protocol/digest.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { ClientConfig } from "./config.ts";
import type { Context } from "./context.ts";
import type { Report } from "./shape.ts";

/** Finds a client that may still be used: one of the configuration, or one that was added later. */
export async function findClient(ctx: Context, id: string): Promise<Client | undefined> {
  const client = await ctx.config.clients.get(id)?.() ?? (await ctx.records.clients.get(id))?.value;
  return client && !client.disabled ? client : undefined;
}

/** Learns which client is calling, by the one way it is registered for (OAuth 2.1, section 2.4). */
export async function authenticateClient(ctx: Context, request: Request, parameters: Parameters): Promise<Client> {
  const credentials = readClientCredentials(request.headers.get("Authorization"), parameters);
  const attempt = { of: `client ${credentials.clientId}`, from: addressOf(request) };
  ctx.throttle.check(attempt);
  const client = await findClient(ctx, credentials.clientId);
  const problem = await credentialsProblem(credentials, client);
  if (client && !problem) return client;
  ctx.throttle.count(attempt);
  ctx.emit({ type: "client.refused", client: credentials.clientId, reason: problem ?? "unknown client" });
  throw refuseClient("The client is unknown, or it did not authenticate in the way it is registered for.");
}

/** The same work for a client that is not there: the time it takes must not tell. */
async function credentialsProblem(credentials: ClientCredentials, client: Client | undefined): Promise<string | undefined> {
  const presented = await sha256(credentials.secret ?? "");
  const matches = equalInConstantTime(presented, client?.secretHash ?? hashOfNothing);
  if (!client) return "unknown client";
  if (!allowsMethod(client, credentials.method)) return `sent ${credentials.method}, may use ${client.authentication.join(", ")}`;
  return isPublic(client) || matches ? undefined : "wrong secret";
}

/** As long as a SHA-256 in base64url, and the hash of no text. */
const hashOfNothing = "-".repeat(43);

/** Makes a client of what the operator wrote. */
export async function toClient(config: ClientConfig, allScopes: readonly string[]): Promise<Client> {
  const scopes = config.scopes ?? [...allScopes];
  const native = config.native ?? false;
  return {
    id: config.id,
    name: config.name ?? config.id,
    authentication: config.authentication ?? (config.secret ? ["client_secret_basic", "client_secret_post"] : ["none"]),
    secretHash: config.secret && await sha256(config.secret),
    redirectUris: config.redirectUris ?? [],
    grantTypes: grantTypesOf(config),
    scope: scopes,
    defaultScope: config.defaultScope ?? scopes.filter(isApiScope),
    native,
    pkce: config.pkce ?? "required",
    redirectUriAtToken: config.redirectUriAtToken ?? "required",
    responseModes: config.responseModes ?? ["query", "form_post"],
    rememberConsent: config.rememberConsent ?? !native,
    introspect: config.introspect ?? "own",
    resources: config.resources ?? [],
    accessTokenFormat: config.accessTokenFormat ?? "jwt",
    idTokenAlg: config.idTokenAlg,
    trusted: true,
    disabled: config.disabled ?? false,
  };
}

function grantTypesOf(config: ClientConfig): string[] {
  return config.grantTypes ?? (config.redirectUris?.length ? ["authorization_code", "refresh_token"] : ["client_credentials"]);
}

/** A scope that opens something of an API, and nothing about a person. */
export function isApiScope(token: string): boolean {
  return token !== "openid" && token !== "offline_access" && !(token in claimsOfScope);
}

/** What a client's members say against each other, or against the server. */
export function clientProblems(
  config: ClientConfig,
  server: { scopes: Record<string, string> },
  grantTypes: readonly string[],
  report: Report,
): void {
  const scopes = config.scopes ?? Object.keys(server.scopes);
  for (const token of config.scopes ?? []) {
    if (!(token in server.scopes)) report("scopes", `holds '${token}', which is no scope of the server`);
  }
  for (const token of config.defaultScope ?? []) {
    if (!scopes.includes(token)) report("defaultScope", `holds '${token}', which is not among its scopes`);
  }
  for (const type of config.grantTypes ?? []) {
    if (!grantTypes.includes(type)) report("grantTypes", `holds '${type}'; known are: ${grantTypes.join(", ")}`);
  }
  const grants = grantTypesOf(config);
  if (grants.includes("authorization_code") && !config.redirectUris?.length) {
    report("redirectUris", "is empty, but the client may use the authorization code grant");
  }
  if (grants.includes("client_credentials") && !config.secret) {
    report("secret", "is missing, but the client may use the client credentials grant");
  }
  if (config.secret && config.authentication?.includes("none")) report("authentication", "says 'none', but the client has a secret");
  if (!config.secret && config.authentication?.some((method) => method !== "none")) {
    report("secret", "is missing, but the client authenticates with one");
  }
  if (config.pkce === "optional" && !config.secret) report("pkce", "can be optional for confidential clients only");
}

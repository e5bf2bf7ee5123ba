import { isApiScope } from "../protocol/claims.ts";
import type { Client } from "../protocol/client.ts";
import { sha256 } from "../protocol/digest.ts";
import type { ClientConfig } from "./config.ts";
import type { Report } from "./shape.ts";

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

import { isApiScope } from "../protocol/claims.ts";
import type { Client } from "../protocol/client.ts";
import { sha256 } from "../protocol/digest.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import type { ClientConfig } from "./config.ts";
import type { Report } from "./shape.ts";

/** What of the server a client's configuration refers to. */
export interface Offered {
  scopes: readonly string[];
  grantTypes: readonly string[];
  httpRedirectUris: boolean;
}

/** Makes a client of what the operator wrote. */
export async function toClient(config: ClientConfig, offered: Pick<Offered, "scopes">): Promise<Client> {
  const scopes = config.scopes ?? [...offered.scopes];
  const native = config.native ?? false;
  return {
    id: config.id,
    name: config.name ?? config.id,
    authentication: authenticationOf(config),
    secretHash: config.secret && await sha256(config.secret),
    redirectUris: config.redirectUris ?? [],
    grantTypes: grantTypesOf(config),
    scopes,
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
    disabled: config.disabled ?? false,
  };
}

function authenticationOf(config: ClientConfig): Client["authentication"] {
  return config.authentication ?? (config.secret ? ["client_secret_basic", "client_secret_post"] : ["none"]);
}

function grantTypesOf(config: ClientConfig): string[] {
  return config.grantTypes ?? (config.redirectUris?.length ? ["authorization_code", "refresh_token"] : ["client_credentials"]);
}

/** Tells what a client's members say against each other, or against the server. */
export function checkClient(config: ClientConfig, offered: Offered, report: Report): void {
  const scopes = config.scopes ?? offered.scopes;
  const grants = grantTypesOf(config);
  const authentication = authenticationOf(config);
  reportBeyond("scopes", config.scopes, offered.scopes, ", which is no scope of the server", report);
  reportBeyond("defaultScope", config.defaultScope, scopes, ", which is not among its scopes", report);
  reportBeyond("grantTypes", config.grantTypes, offered.grantTypes, `; known are: ${offered.grantTypes.join(", ")}`, report);
  config.redirectUris?.forEach((uri, at) => {
    const problem = redirectUriProblem(uri, offered.httpRedirectUris);
    if (problem) report(`redirectUris[${at}]`, problem);
  });
  if (grants.includes("authorization_code") && !config.redirectUris?.length) {
    report("redirectUris", "is empty, but the client may use the authorization code grant");
  }
  if (grants.includes("client_credentials") && authentication.includes("none")) {
    report("secret", "is missing, but the client may use the client credentials grant");
  }
  if (config.secret && authentication.includes("none")) report("authentication", "says 'none', but the client has a secret");
  if (!config.secret && authentication.some((method) => method !== "none")) {
    report("secret", "is missing, but the client authenticates with one");
  }
  if (config.pkce === "optional" && authentication.includes("none")) {
    report("pkce", "can be optional for confidential clients only");
  }
}

function reportBeyond(path: string, given: readonly string[] = [], allowed: readonly string[], why: string, report: Report): void {
  for (const each of given) if (!allowed.includes(each)) report(path, `holds '${each}'${why}`);
}

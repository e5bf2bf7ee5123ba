import type { ClientAuthenticationMethod, CoreClientConfig } from "../model/client_config.ts";

/**
 * Returns the ways in which a client may authenticate: those it names, or those it has credentials
 * for.
 */
export function authenticationOf(config: CoreClientConfig): ClientAuthenticationMethod[] {
  if (config.authentication) return config.authentication;
  if (config.secret) return ["client_secret_basic", "client_secret_post"];
  return hasKeys(config) ? ["private_key_jwt"] : ["none"];
}

/** Whether a client is configured with keys. */
export function hasKeys({ jwks, jwksUri }: CoreClientConfig): boolean {
  return jwks !== undefined || jwksUri !== undefined;
}

/** Returns the grants that a client may use. */
export function grantTypesOf({ grantTypes, redirectUris = [] }: CoreClientConfig): string[] {
  if (grantTypes) return grantTypes;
  return redirectUris.length > 0 ? ["authorization_code", "refresh_token"] : ["client_credentials"];
}

/** Whether the secret of a client is the key of an HMAC: its own, or that of its ID tokens. */
export function usesHmac(config: CoreClientConfig): boolean {
  return config.idTokenAlg === "HS256" || authenticationOf(config).includes("client_secret_jwt");
}

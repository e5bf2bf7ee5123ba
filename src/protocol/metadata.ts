import type { ClientAuthenticationMethod } from "./client.ts";
import { codeChallengeMethods } from "./pkce.ts";
import type { ResponseMode } from "./reply.ts";
import type { SigningAlgorithm } from "./signing.ts";

/** The members of the metadata that hold the URL of an endpoint. */
export type EndpointField =
  | "authorization_endpoint"
  | "token_endpoint"
  | "jwks_uri"
  | "userinfo_endpoint"
  | "revocation_endpoint"
  | "introspection_endpoint";

/** What the server has, from which everything else follows. */
export interface Abilities {
  issuer: string;
  endpoints: Partial<Record<EndpointField, string>>;
  grantTypes: string[];
  scopes: string[];
  claims: string[];
  responseModes: ResponseMode[];
  clientAuthentication: ClientAuthenticationMethod[];
  idTokenAlgs: SigningAlgorithm[];
}

export type Metadata = Record<string, unknown> & { issuer: string };

/** The document that tells a client everything (RFC 8414, section 2; OpenID Connect Discovery, section 3). */
export function describeServer(abilities: Abilities): Metadata {
  const withSecret = abilities.clientAuthentication.filter((method) => method !== "none");
  return {
    issuer: abilities.issuer,
    ...abilities.endpoints,
    scopes_supported: abilities.scopes,
    response_types_supported: ["code"],
    response_modes_supported: abilities.responseModes,
    grant_types_supported: abilities.grantTypes,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: abilities.idTokenAlgs,
    token_endpoint_auth_methods_supported: abilities.clientAuthentication,
    revocation_endpoint_auth_methods_supported: abilities.clientAuthentication,
    introspection_endpoint_auth_methods_supported: withSecret,
    code_challenge_methods_supported: [...codeChallengeMethods],
    claims_supported: abilities.claims,
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

import { claimNames } from "./claims.ts";
import { clientAuthenticationMethods } from "./client.ts";
import { codeChallengeMethods } from "./pkce.ts";
import { prompts } from "./prompt.ts";
import { responseModes } from "./reply.ts";
import type { SigningAlgorithm } from "./signing.ts";

/** The members of the metadata that hold the URL of an endpoint. */
export type EndpointField =
  | "authorization_endpoint"
  | "token_endpoint"
  | "jwks_uri"
  | "userinfo_endpoint"
  | "revocation_endpoint"
  | "introspection_endpoint";

/** What a server has; the rest of its metadata follows. */
export interface Abilities {
  issuer: string;
  endpoints: Partial<Record<EndpointField, string>>;
  grantTypes: readonly string[];
  scopes: readonly string[];
  idTokenAlgs: readonly SigningAlgorithm[];
}

export type Metadata = Readonly<Record<string, unknown>> & Readonly<Partial<Record<EndpointField, string>>> & { readonly issuer: string };

/** The document that tells a client everything (RFC 8414, section 2; OpenID Connect Discovery, section 3). */
export function describeServer({ issuer, endpoints, grantTypes, scopes, idTokenAlgs }: Abilities): Metadata {
  return {
    issuer,
    ...endpoints,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: responseModes,
    grant_types_supported: grantTypes,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: idTokenAlgs,
    token_endpoint_auth_methods_supported: clientAuthenticationMethods,
    revocation_endpoint_auth_methods_supported: clientAuthenticationMethods,
    introspection_endpoint_auth_methods_supported: clientAuthenticationMethods.filter((method) => method !== "none"),
    code_challenge_methods_supported: codeChallengeMethods,
    claims_supported: ["sub", ...claimNames(scopes)],
    prompt_values_supported: prompts,
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

import type { JWK } from "jose";
import type { EndpointField } from "../../src/server/model/server_metadata.ts";

/**
 * The members of the JSON bodies that tests read. A body has some of them; an assertion finds a
 * member that is missing, the compiler one that is misspelled.
 */
export type ResponseBody =
  & TokenMembers
  & DeviceMembers
  & RegistrationMembers
  & ProviderMetadata
  & Claims
  & {
    error: string;
    error_description: string;
    error_uri: string;
    /** Introspection (RFC 7662). */
    active: boolean;
    username: string;
    /** The key set (RFC 7517). */
    keys: PublishedKey[];
    /** Pushed authorization requests (RFC 9126). */
    request_uri: string;
    /** The health check. */
    status: string;
    /** The clock of a lab. */
    frozen: boolean;
  };

/** The texts of a successful token response. */
export type Tokens = {
  access_token: string;
  token_type: string;
  refresh_token: string;
  id_token: string;
  scope: string;
};

/** A token response, and a token request's response of RFC 8693. */
type TokenMembers = Tokens & {
  expires_in: number;
  refresh_token_expires_in: number;
  issued_token_type: string;
  /** What the token for an ID-JAG is for. */
  resource: string | string[];
};

type DeviceMembers = {
  device_code: string;
  auth_req_id: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  interval: number;
};

/** The claims of a token; a userinfo or introspection response has them, too. */
export type Claims = {
  iss: string;
  sub: string;
  aud: string | string[];
  exp: number;
  iat: number;
  nbf: number;
  jti: string;
  azp: string;
  nonce: string;
  auth_time: number;
  acr: string;
  amr: string[];
  at_hash: string;
  sid: string;
  scope: string;
  client_id: string;
  cnf: { jkt: string };
  act: { sub: string; act?: object };
  code: string;
  authorization_details: AuthorizationDetail[];
  name: string;
  email: string;
  email_verified: boolean;
  preferred_username: string;
  groups: string[];
  events: Record<string, object>;
  token_introspection: Partial<ResponseBody>;
};

export interface PublishedKey extends JWK {
  kid: string;
  alg: string;
}

export interface AuthorizationDetail {
  type: string;
  [member: string]: unknown;
}

/** A client's registration (RFC 7591, section 3.2.1). */
type RegistrationMembers = {
  client_secret: string;
  client_id_issued_at: number;
  client_secret_expires_at: number;
  registration_client_uri: string;
  registration_access_token: string;
  client_name: string;
  application_type: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  contacts: string[];
  token_endpoint_auth_method: string;
  dpop_bound_access_tokens: boolean;
  post_logout_redirect_uris: string[];
  id_token_signed_response_alg: string;
};

/** The endpoints at which clients authenticate, and for which the metadata lists how. */
type AuthenticatedEndpoint = "token_endpoint" | "revocation_endpoint" | "introspection_endpoint";

/** What a server publishes about itself (RFC 8414; OpenID Connect Discovery, section 3). */
export type ProviderMetadata =
  & Record<EndpointField, string>
  & Record<`${AuthenticatedEndpoint}_auth_methods_supported`, string[]>
  & Record<`${AuthenticatedEndpoint}_auth_signing_alg_values_supported`, string[]>
  & {
    issuer: string;
    scopes_supported: string[];
    authorization_grant_profiles_supported: string[];
    identity_chaining_requested_token_types_supported: string[];
    response_types_supported: string[];
    response_modes_supported: string[];
    grant_types_supported: string[];
    subject_types_supported: string[];
    code_challenge_methods_supported: string[];
    acr_values_supported: string[];
    claims_supported: string[];
    id_token_signing_alg_values_supported: string[];
    request_object_signing_alg_values_supported: string[];
    authorization_signing_alg_values_supported: string[];
    introspection_signing_alg_values_supported: string[];
    authorization_details_types_supported: string[];
    authorization_response_iss_parameter_supported: boolean;
    client_id_metadata_document_supported: boolean;
    require_pushed_authorization_requests: boolean;
    request_parameter_supported: boolean;
    request_uri_parameter_supported: boolean;
    frontchannel_logout_supported: boolean;
    frontchannel_logout_session_supported: boolean;
    backchannel_logout_supported: boolean;
    backchannel_logout_session_supported: boolean;
    claims_parameter_supported: boolean;
    service_documentation: string;
    op_policy_uri: string;
    op_tos_uri: string;
  };

/** How each JWT begins: `{"alg`, `{"kid` or `{"typ`. Three characters would occur in random ids. */
export const jwtHeader = /eyJ(?:hbGci|raWQi|0eXAi)/;

/**
 * The metadata members that hold the URL of an endpoint (RFC 8414, section 2, and its registry), in
 * the order in which the metadata and the pages list them.
 */
export const endpointFields = [
  "authorization_endpoint",
  "pushed_authorization_request_endpoint",
  "token_endpoint",
  "device_authorization_endpoint",
  "backchannel_authentication_endpoint",
  "introspection_endpoint",
  "revocation_endpoint",
  "registration_endpoint",
  "userinfo_endpoint",
  "end_session_endpoint",
  "jwks_uri",
] as const;

/** A metadata member that holds the URL of an endpoint. */
export type EndpointField = typeof endpointFields[number];

/** The same, also for an endpoint that only its feature knows. */
export type EndpointMember = EndpointField | `${string}_endpoint`;

/**
 * The members that have a meaning only if `openid` is a scope (OpenID Connect Discovery, section 3,
 * and the logout specifications).
 */
export const openIdMembers: ReadonlySet<string> = new Set([
  "userinfo_endpoint",
  "end_session_endpoint",
  "subject_types_supported",
  "id_token_signing_alg_values_supported",
  "userinfo_signing_alg_values_supported",
  "claims_supported",
  "claims_parameter_supported",
  "prompt_values_supported",
  "display_values_supported",
  "backchannel_logout_supported",
  "backchannel_logout_session_supported",
  "frontchannel_logout_supported",
  "frontchannel_logout_session_supported",
]);

/** The metadata of a server (RFC 8414). */
export type ServerMetadata =
  & Readonly<Record<string, unknown>>
  & Readonly<Partial<Record<EndpointField, string>>>
  & {
    readonly issuer: string;
  };

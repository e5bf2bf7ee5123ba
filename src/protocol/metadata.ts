/** The members of the metadata that hold the URL of an endpoint (RFC 8414, section 2, and what registered there later). */
export type EndpointField =
  | "authorization_endpoint"
  | "token_endpoint"
  | "jwks_uri"
  | "userinfo_endpoint"
  | "revocation_endpoint"
  | "introspection_endpoint"
  | "registration_endpoint"
  | "pushed_authorization_request_endpoint"
  | "device_authorization_endpoint"
  | "end_session_endpoint";

/** What a server tells about itself. */
export type Metadata = Readonly<Record<string, unknown>> & Readonly<Partial<Record<EndpointField, string>>> & { readonly issuer: string };

/** One entry of `authorization_details` (RFC 9396, section 2). */
export interface AuthorizationDetail {
  /** The type, which decides what the other members mean. */
  type: string;
  /** The members of the type. */
  [member: string]: unknown;
}

/** What a token allows. */
export interface AccessRights {
  scope: string[];
  /** Where it is allowed. An empty list means the default resource. */
  resources: string[];
  /** What a scope cannot express (RFC 9396). */
  authorizationDetails?: AuthorizationDetail[] | undefined;
}

/**
 * An API that tokens may be meant for. What is undefined is as the client and the server have it.
 */
export interface Resource {
  /** A URI, or a name that no request can put into the parameter `resource`. */
  uri: string;
  /** The scopes that its tokens may have. Undefined allows every scope. */
  scopes?: readonly string[];
  accessTokenFormat?: "jwt" | "opaque";
  accessTokenType?: "at+jwt" | "JWT";
  /** In seconds. It cannot exceed the lifetime that the server has for access tokens. */
  accessTokenLifetime?: number | undefined;
  partialConsent?: boolean;
}

/** The resources that tokens may be meant for: those that are configured, or any. */
export type AcceptedResources = { only: readonly Resource[] } | "any";

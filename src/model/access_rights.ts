/** One thing that a client asks for in detail (RFC 9396, section 2). */
export interface AuthorizationDetail {
  /** The type, which decides what the other members mean. */
  type: string;
  /** The members of the type. */
  [member: string]: unknown;
}

/** What somebody may do, in all the ways in which it can be said. */
export interface AccessRights {
  scope: string[];
  /** Where; none means at the default resource. */
  resources: string[];
  /** What a scope cannot say (RFC 9396). */
  authorizationDetails?: AuthorizationDetail[];
}

/** An API that tokens may be asked for. What it does not say is as its clients and the server have it. */
export interface Resource {
  uri: string;
  /** What its tokens can allow; anything, where it does not say. */
  scopes?: readonly string[];
  accessTokenFormat?: "jwt" | "opaque";
  /** In seconds; a longer one than the server's changes nothing. */
  accessTokenLifetime?: number;
}

/** Which resources tokens may be asked for: those that are configured, or any. */
export type AcceptedResources = { only: readonly Resource[] } | "any";

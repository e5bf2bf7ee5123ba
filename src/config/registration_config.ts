/** Who may register clients, and what unconfigured clients may do. "open" means `{ open: true }`. */
export type RegistrationPolicy = "open" | RegistrationConfig;

/**
 * With neither `open` nor `initialAccessToken`, registration is off, and `allow` applies to clients
 * of metadata documents only.
 */
export interface RegistrationConfig {
  /** Whether anyone may register a client. Default: false. */
  open?: boolean;
  /**
   * Lets those who show this token register a client; it has at least 32 random characters.
   * Default: none.
   */
  initialAccessToken?: string;
  /**
   * Whether a client that showed the token is trusted like a configured one: errors are redirected
   * to it, and consent is remembered. Default: false.
   */
  trusted?: boolean;
  /** Whether a confidential client that showed the token may leave PKCE out. Default: required. */
  pkce?: "required" | "optional";
  /**
   * What the `aud` of the assertions of a client that showed the token must be. Default: issuer.
   */
  assertionAudience?: "issuer" | "token-endpoint";
  /** What clients may ask for that are neither configured nor trusted. Default: see its members. */
  allow?: AllowConfig;
}

/**
 * Without a member, clients that showed the initial access token may ask for everything. For all
 * others, clients of metadata documents included, the member's default applies; under the profile
 * mcp that is everything, too.
 */
export interface AllowConfig {
  /** Default: the server's scopes of OpenID Connect. */
  scopes?: string[] | "any";
  /** Beside the default resource and the issuer. Default: none. */
  resources?: string[] | "any";
  /** Default: none. */
  authorizationDetailsTypes?: string[] | "any";
}

/** Who may register clients, with every default filled in. */
export interface RegistrationSettings {
  open: boolean;
  initialAccessToken?: string;
}

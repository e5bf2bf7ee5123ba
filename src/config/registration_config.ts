/** Who may register a client, and what clients may do that are not configured. "open" is short for `{ open: true }`. */
export type RegistrationPolicy = "open" | RegistrationConfig;

/** With neither `open` nor `initialAccessToken` there is no registration; `allow` then speaks of metadata documents alone. */
export interface RegistrationConfig {
  /** Whether anyone may register a client. Default: false. */
  open?: boolean;
  /** Lets those who show this token register a client; it has at least 32 random characters. Default: none. */
  initialAccessToken?: string;
  /**
   * Whether a client that showed the token is trusted like a configured one: errors are redirected to it, and consent is
   * remembered. Default: false.
   */
  trusted?: boolean;
  /** Whether a confidential client that showed the token may leave PKCE out. Default: required. */
  pkce?: "required" | "optional";
  /** What the `aud` of the assertions of a client that showed the token must be. Default: issuer. */
  assertionAudience?: "issuer" | "token-endpoint";
  /** What clients may ask for that are neither configured nor trusted. */
  allow?: AllowConfig;
}

/**
 * A member that is left out allows everything to clients that showed the initial access token. What it allows to others, clients
 * of metadata documents among them, is its default; under the profile mcp that is everything, too.
 */
export interface AllowConfig {
  /** Default: the server's scopes of OpenID Connect. */
  scopes?: string[] | "any";
  /** Resources that tokens may be asked for, beside the default resource and the issuer. Default: none. */
  resources?: string[] | "any";
  /** Default: none. */
  authorizationDetailsTypes?: string[] | "any";
}

/** Who may register, with every default filled in. */
export interface RegistrationSettings {
  open: boolean;
  initialAccessToken?: string;
}

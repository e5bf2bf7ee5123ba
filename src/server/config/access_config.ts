import type { ClaimTargets } from "../model/claims.ts";
import type { LocalizedText } from "../util/text/user_text.ts";
import type { Duration } from "../util/time/duration.ts";

/** A scope that opens claims about the user. */
export interface ScopeConfig {
  /**
   * The text on the consent page, in one language or in several: `{ "en": "See your groups", "de":
   * "Ihre Gruppen sehen" }`.
   */
  text: LocalizedText;
  /**
   * The claims that the scope opens, besides the standard ones, as in the `claims` of a client.
   *
   * @format claim
   */
  claims?: string[] | ClaimTargets;
}

/** Settings for one API. */
export interface ResourceConfig {
  /**
   * The audience of its tokens: a URI, or a name, which only the parameter `audience` can request
   * (`audienceParameter`).
   *
   * @format audience
   */
  uri: string;
  /**
   * The scopes that access tokens for this resource may have.
   *
   * @format scope
   * @default every scope
   */
  scopes?: string[];
  /**
   * The format of access tokens for this resource.
   *
   * @default the client's `accessTokenFormat`
   */
  accessTokenFormat?: "jwt" | "opaque";
  /**
   * The `typ` of JWT access tokens for this resource.
   *
   * @default the client's `accessTokenType`
   */
  accessTokenType?: "at+jwt" | "JWT";
  /**
   * The lifetime of access tokens for this resource, at most the default.
   *
   * @minimum 1s
   * @default the server's `lifetimes.accessToken`
   */
  accessTokenLifetime?: Duration;
  /** Whether users may allow a part of the scope that clients request for this resource. */
  partialConsent?: boolean;
}

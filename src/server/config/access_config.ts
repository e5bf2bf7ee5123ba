import type { ClaimTargets } from "../model/claims.ts";
import type { LocalizedText } from "../util/text/user_text.ts";
import type { Duration } from "../util/time/duration.ts";

/** A scope that opens claims about the user. */
export interface ScopeConfig {
  /**
   * The text on the consent page, in one language or in several: `"See your groups"`, or `{ "en":
   * "See your groups", "de": "Ihre Gruppen sehen" }`.
   */
  text: LocalizedText;
  /**
   * The claims that the scope opens, beside the standard ones: a list for ID tokens, access tokens
   * and userinfo alike, or one list for each.
   *
   * @format claim
   * @default none
   */
  claims?: string[] | ClaimTargets;
}

/** Settings for one protected resource: an API that accepts access tokens of this server. */
export interface ResourceConfig {
  /**
   * The identifier of the resource, which is the audience of its tokens: a URI, or a name. The
   * parameter `resource` takes URIs only (RFC 8707). A name can be requested with the parameter
   * `audience`, if the setting `audienceParameter` allows that.
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
   * The `typ` header of JWT access tokens for this resource. Some APIs accept only `JWT`.
   *
   * @default the client's `accessTokenType`
   */
  accessTokenType?: "at+jwt" | "JWT";
  /**
   * The lifetime of access tokens for this resource. At most the server's `lifetimes.accessToken`.
   *
   * @minimum 1s
   * @default the server's `lifetimes.accessToken`
   */
  accessTokenLifetime?: Duration;
  /**
   * Whether users may allow a part of the scope that a client requests for this resource.
   *
   * @default false
   */
  partialConsent?: boolean;
}

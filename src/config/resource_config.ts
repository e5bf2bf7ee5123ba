import type { Duration } from "../util/duration.ts";

/** A protected resource that clients can request with `resource` (RFC 8707). */
export interface ResourceConfig {
  /**
   * The resource indicator (RFC 8707): a URI, or a name. A name is the audience of tokens, but no
   * request can put it into the parameter `resource`.
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
   * The `typ` of access tokens for this resource that are JWTs. Some APIs take no other than `JWT`.
   *
   * @default the client's `accessTokenType`
   */
  accessTokenType?: "at+jwt" | "JWT";
  /**
   * How long access tokens for this resource last; at most the server's `lifetimes.accessToken`.
   *
   * @minimum 1s
   * @default the server's `lifetimes.accessToken`
   */
  accessTokenLifetime?: Duration;
}

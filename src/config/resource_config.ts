import type { Duration } from "../util/duration.ts";

/** A protected resource that clients can request with `resource` (RFC 8707). */
export interface ResourceConfig {
  /**
   * The resource indicator (RFC 8707).
   *
   * @format uri
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
   * How long access tokens for this resource last; at most the server's `lifetimes.accessToken`.
   *
   * @minimum 1s
   * @default the server's `lifetimes.accessToken`
   */
  accessTokenLifetime?: Duration;
}

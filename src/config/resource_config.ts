import type { Duration } from "../util/duration.ts";

/** Settings for one resource. */
export interface ResourceConfig {
  /**
   * The resource indicator (RFC 8707).
   *
   * @format uri
   */
  uri: string;
  /**
   * The scopes that its tokens may have.
   *
   * @format scope
   * @default every scope
   */
  scopes?: string[];
  /**
   * The format of its tokens.
   *
   * @default the client's `accessTokenFormat`
   */
  accessTokenFormat?: "jwt" | "opaque";
  /**
   * How long its tokens last; at most the server's `lifetimes.accessToken`.
   *
   * @minimum 1s
   * @default the server's `lifetimes.accessToken`
   */
  accessTokenLifetime?: Duration;
}

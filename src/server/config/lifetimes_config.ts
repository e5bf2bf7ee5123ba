import type { Duration } from "../util/time/duration.ts";

/** How long the codes and tokens of the core last, and its sessions. */
export interface CoreLifetimesConfig {
  /**
   * An authorization code.
   *
   * @minimum 1s
   * @maximum 10m
   * @default "5m"
   */
  code?: Duration;
  /**
   * An access token.
   *
   * @minimum 1s
   * @default "1h"
   */
  accessToken?: Duration;
  /**
   * An ID token.
   *
   * @minimum 1s
   * @default "1h"
   */
  idToken?: Duration;
  /**
   * A refresh token, counted from the first one of the authorization.
   *
   * @minimum 1s
   * @default "30d"
   */
  refreshToken?: Duration;
  /**
   * A refresh token that is not used; at most `refreshToken`.
   *
   * @minimum 1s
   * @default "30d"
   */
  refreshIdle?: Duration;
  /**
   * A session of a user.
   *
   * @minimum 1s
   * @default "1d"
   */
  session?: Duration;
  /**
   * The time that a user has to sign in and consent.
   *
   * @minimum 1m
   * @maximum 1d
   * @default "1h"
   */
  interaction?: Duration;
}

/** Settings that weaken the server. `hallpass serve` refuses them. */
export interface InsecureConfig {
  /** Whether an issuer may use http although its host is not loopback. */
  httpIssuer?: boolean;
  /** Whether redirect URIs may use http although their host is not loopback. */
  httpRedirectUris?: boolean;
  /**
   * Whether what untrusted clients point to is fetched from this machine and its network as well,
   * over http on loopback.
   */
  privateFetches?: boolean;
}

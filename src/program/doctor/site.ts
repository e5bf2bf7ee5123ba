/** What the files that operate a server depend on. */
export interface Site {
  issuer: string;
  /** The port that the server listens on. */
  port: number;
  metricsPort: number;
  /** The store as the configuration names it; it may contain a password. */
  store: string | undefined;
}

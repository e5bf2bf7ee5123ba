/** Which tokens a client may exchange, and for what (RFC 8693). */
export interface TokenExchangeConfig {
  /**
   * The clients whose tokens it may present, provided that they are meant for it.
   *
   * @format client-id
   * @default every client
   */
  subjects?: string[];
  /** What the new tokens may be for: resources, or the names of APIs. */
  audiences: string[];
  /**
   * Whether it may receive tokens that do not name it as the actor.
   *
   * @default false
   */
  impersonation?: boolean;
  /**
   * Whether it may present an actor, whom the new token names.
   *
   * @default false
   */
  delegation?: boolean;
}

/** What unknown credentials are taken for. */
export interface AnyGrantSetting {
  /**
   * Issues tokens for codes, refresh tokens and bearer assertions that this lab never issued. What
   * it issued itself is checked as usual.
   *
   * @default none: they are refused
   * @forTests it accepts codes, refresh tokens and assertions that the server never issued
   * @atStart it is set at the start, or for a tenant, which then remembers what it issued
   */
  anyGrant?: AnyGrantConfig | undefined;
}

/** What an unknown code, refresh token or assertion is taken for. */
export interface AnyGrantConfig {
  /** The name of the user whom the tokens are about. */
  user: string;
  /**
   * The scopes that are granted, as far as the client may have them.
   *
   * @format scope
   */
  scopes: string[];
}

/** Which scopes a lab makes known. */
export interface AnyScopeSetting {
  /**
   * Adds an unknown scope to the server with the first request that names it; a refresh may add it
   * to what was granted. Clients that have `scopes` keep them.
   *
   * @default false
   * @forTests it accepts scopes that the server does not know
   * @atStart it is set at the start, or for a tenant
   */
  anyScope?: boolean | undefined;
}

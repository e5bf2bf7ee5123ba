/** Which scopes a lab makes known. */
export interface AnyScopeSetting {
  /**
   * Adds an unknown scope with the first request that names it, also to what a refresh had. Clients
   * that have `scopes` keep them.
   *
   * @forTests it accepts scopes that the server does not know
   * @atStart it is set at the start, or for a tenant
   */
  anyScope?: boolean | undefined;
}

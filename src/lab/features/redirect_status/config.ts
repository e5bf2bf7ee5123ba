/** How authorization responses redirect. */
export interface RedirectStatusSetting {
  /**
   * The status of redirects with an authorization response.
   *
   * @integer
   * @minimum 302
   * @maximum 303
   * @default 303
   * @forTests it sends authorization responses with the status 302
   */
  redirectStatus?: number | undefined;
}

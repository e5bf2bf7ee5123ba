/** Whether a lab is part of an enterprise. */
export interface EnterpriseSetting {
  /**
   * Puts the MCP server of the lab into an enterprise: the tenant `/t/company` is its identity
   * provider, whose ID-JAGs the lab redeems.
   *
   * @forTests it opens an identity provider with public secrets
   * @forWholeLab it is set at the start
   */
  enterprise?: boolean | undefined;
}

/** Whether a lab is part of an enterprise. */
export interface EnterpriseSetting {
  /**
   * Whether the MCP server of the lab belongs to an enterprise: the tenant `/t/company` is the
   * identity provider of the company, whose ID-JAGs the lab redeems.
   *
   * @default false
   * @forTests it opens an identity provider with public secrets
   * @forWholeLab it is set at the start
   */
  enterprise?: boolean | undefined;
}

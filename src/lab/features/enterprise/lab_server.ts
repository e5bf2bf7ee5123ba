/** Whether a lab is part of an enterprise. */
export interface EnterpriseSetting {
  /**
   * Whether the MCP server of the lab belongs to an enterprise: the tenant `/t/company` is the
   * identity provider of the company, whose ID-JAGs the lab redeems.
   *
   * @default false
   */
  enterprise?: boolean | undefined;
}

/** Why a running lab does not take the setting. */
export const enterpriseAtStart: Readonly<Record<keyof EnterpriseSetting, string>> = {
  enterprise: "it is set at the start",
};

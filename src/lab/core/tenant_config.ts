import type { CoreLabPowers, LabServerConfig } from "../lab_server/core_lab_config.ts";

/** The configuration of a tenant without the settings of features. */
export interface CoreTenantConfig
  extends
    Omit<LabServerConfig, "issuer" | "frontChannelUrl" | "backChannelUrl">,
    CoreLabPowers,
    TenantOptions {}

/** What a tenant has besides the settings of a lab. */
export interface TenantOptions {
  /**
   * The name of the tenant in its issuer, and in the path of its interface over HTTP.
   *
   * @default the next number
   */
  id?: string | undefined;
  /**
   * The issuer, which may have another host or path than the lab, and a final slash. Its interface
   * over HTTP stays at an address of the lab: `/t/ID/lab`.
   *
   * @default the issuer of the lab, followed by `/t/` and the id
   */
  issuer?: string | undefined;
  /**
   * Whether to return the tenant that has the id or the issuer already. Its settings must be the
   * same.
   */
  reuse?: boolean | undefined;
}

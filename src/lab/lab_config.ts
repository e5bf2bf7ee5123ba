import type { CoreTenantConfig } from "./core/tenant_config.ts";
import type { FeaturePowers, WholeLabSettings } from "./feature_types.ts";
import type { CoreLabPowers, LabServerConfig } from "./lab_server/core_lab_config.ts";

/** The configuration of a lab: that of a server, with defaults for trying things out. */
export interface LabConfig extends LabServerConfig, LabPowers, WholeLabSettings {}

/** The settings of a lab that its server does not know. */
export interface LabPowers extends CoreLabPowers, FeaturePowers {}

/** The configuration of a tenant. */
export interface TenantConfig extends CoreTenantConfig, FeaturePowers {}

/** Changes of the settings of a lab; `null` removes one. */
export type SettingChanges = { readonly [Name in keyof LabConfig]?: LabConfig[Name] | null };

import type { CoreLab } from "../../core/core_lab.ts";
import type { CoreTenantConfig } from "../../core/tenant_config.ts";
import { demoUsers } from "../../demo/demo_users.ts";
import type { LabFeature } from "../../feature.ts";
import type { CoreLabConfig, GivenLabConfig } from "../../lab_server/core_lab_config.ts";
import { wholeLabSettings } from "../../lab_server/json_settings.ts";
import {
  checkProviders,
  providerNameOf,
  type ProviderSetting,
  type ProvidersSetting,
} from "./config.ts";

/** Where a lab is, who listens to it and where it stores: not for its providers. */
const ofLabAlone = [
  ...["issuer", "frontChannelUrl", "backChannelUrl", "pagesUrl"],
  ...["store", "onEvent", "onLabEvent"],
];

/** Plays providers: the lab itself one of them, or each in a tenant. */
export const providers: LabFeature = {
  name: "providers",
  checkSettings: checkProviders,
  async loadCompletion({ provider, issuer }: GivenLabConfig & ProviderSetting) {
    if (provider === undefined) return undefined;
    const { requirePreset } = await import("./presets.ts");
    const { withPreset } = await import("./apply_preset.ts");
    const preset = await requirePreset(provider);
    return (config) => withPreset(preset, config, issuer === undefined);
  },
  openTenants: openProviders,
};

type PlayedConfig = CoreLabConfig & ProviderSetting & ProvidersSetting;

/** Opens each provider that a lab plays, with the users who have an account there. */
async function openProviders(lab: CoreLab, config: PlayedConfig): Promise<void> {
  const { providers = [], accounts = {}, hosts = false, signIn, users = demoUsers } = config;
  // A provider has the settings of the lab, but for those that are about where the lab is.
  const given = Object.entries(config).filter(([name]) =>
    !ofLabAlone.includes(name) && !Object.hasOwn(wholeLabSettings, name)
  );
  for (const provider of providers) {
    const id = providerNameOf(provider);
    const known = users.filter(({ name }) => accounts[name]?.includes(id) !== false);
    const tenant: CoreTenantConfig & ProviderSetting = {
      ...Object.fromEntries(given),
      id,
      provider,
      issuer: typeof hosts === "object" ? hosts[id] : undefined,
      users: known,
      hosts: Boolean(hosts),
      signIn: known.some(({ name }) => name === signIn) ? signIn : undefined,
    };
    await lab.tenant(tenant);
  }
}

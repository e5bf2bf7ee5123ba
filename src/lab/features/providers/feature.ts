import type { LabFeature } from "../../feature.ts";
import type { GivenLabConfig } from "../../lab_server/core_lab_config.ts";
import { checkProviders, type ProviderSetting } from "./config.ts";
import { openProviders } from "./open_providers.ts";

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

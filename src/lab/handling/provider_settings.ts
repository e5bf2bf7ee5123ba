import type { LabConfig } from "../lab_server/lab_server.ts";

/** Settings that may name a provider. */
type ProvidedConfig = { [Name in keyof LabConfig]?: LabConfig[Name] | undefined };

/**
 * Returns the settings of a lab with those of the provider that it plays.
 *
 * @throws {LabError} There is no such provider, or a setting contradicts its preset.
 */
export async function withProvider<C extends ProvidedConfig>(given: C): Promise<C> {
  const { provider } = given;
  if (provider === undefined) return given;
  const { requirePreset } = await import("../preset_files/require_preset.ts");
  const { applyPreset } = await import("../providers/apply_preset.ts");
  return applyPreset(await requirePreset(provider), given);
}

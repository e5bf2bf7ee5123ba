import { LabError, unknownName } from "../../util/lab_error.ts";
import { isPresetPath, presetLoaders, type ProviderChoice, providerNames } from "./config.ts";
import type { ProviderPreset } from "./presets/preset.ts";

/**
 * Loads the preset of a provider.
 *
 * @throws {LabError} There is no such provider.
 */
export async function loadPreset(name: string): Promise<ProviderPreset> {
  const known = providerNames.find((each) => each === name);
  if (known === undefined) throw unknownName("provider", String(name), providerNames);
  return await presetLoaders[known]();
}

/**
 * Returns the preset of a chosen provider.
 *
 * @throws {LabError} There is no such provider, or its file is no preset.
 */
export async function requirePreset(choice: ProviderChoice): Promise<ProviderPreset> {
  if (isPresetPath(choice)) {
    throw new LabError(
      `Only the program reads the file '${choice}'. Pass its content as 'provider': ` +
        `import preset from "../../providers/${choice}" with { type: "json" }.`,
    );
  }
  if (typeof choice !== "object" || choice === null) return await loadPreset(choice);
  const { readPresetFile } = await import("./read_preset_file.ts");
  return readPresetFile(choice);
}

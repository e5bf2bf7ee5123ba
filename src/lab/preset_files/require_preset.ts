import { isPresetPath, type ProviderChoice } from "../lab_server/preset_file.ts";
import type { ProviderPreset } from "../providers/preset.ts";
import { loadPreset } from "../providers/presets.ts";
import { LabError } from "../util/lab_error.ts";

/**
 * Returns the preset of a chosen provider.
 *
 * @throws {LabError} There is no such provider, or its file is no preset.
 */
export async function requirePreset(choice: ProviderChoice): Promise<ProviderPreset<string>> {
  if (isPresetPath(choice)) {
    throw new LabError(
      `Only the program reads the file '${choice}'. Pass its content as 'provider': ` +
        `import preset from "./${choice}" with { type: "json" }.`,
    );
  }
  if (typeof choice !== "object" || choice === null) return await loadPreset(choice);
  const { readPresetFile } = await import("./read_preset_file.ts");
  return readPresetFile(choice);
}

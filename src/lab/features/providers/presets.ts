import { LabError, unknownName } from "../../util/lab_error.ts";
import { isPresetPath, type ProviderChoice, type ProviderName, providerNames } from "./config.ts";
import type { ProviderPreset } from "./presets/preset.ts";

const loaders: Readonly<Record<ProviderName, () => Promise<ProviderPreset>>> = {
  apple: async () => (await import("./presets/apple.ts")).apple,
  auth0: async () => (await import("./presets/auth0.ts")).auth0,
  cognito: async () => (await import("./presets/cognito.ts")).cognito,
  discord: async () => (await import("./presets/discord.ts")).discord,
  entra: async () => (await import("./presets/entra.ts")).entra,
  google: async () => (await import("./presets/google.ts")).google,
  github: async () => (await import("./presets/github.ts")).github,
  gitlab: async () => (await import("./presets/gitlab.ts")).gitlab,
  keycloak: async () => (await import("./presets/keycloak.ts")).keycloak,
  linkedin: async () => (await import("./presets/linkedin.ts")).linkedin,
  okta: async () => (await import("./presets/okta.ts")).okta,
  slack: async () => (await import("./presets/slack.ts")).slack,
};

/**
 * Loads the preset of a provider.
 *
 * @throws {LabError} There is no such provider.
 */
export async function loadPreset(name: string): Promise<ProviderPreset> {
  const known = providerNames.find((each) => each === name);
  if (known === undefined) throw unknownName("provider", String(name), providerNames);
  return await loaders[known]();
}

/**
 * Returns the preset of a chosen provider.
 *
 * @throws {LabError} There is no such provider, or its file is no preset.
 */
export async function requirePreset(choice: ProviderChoice): Promise<ProviderPreset<string>> {
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

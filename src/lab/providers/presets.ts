import {
  isPresetPath,
  type ProviderChoice,
  type ProviderName,
  providerNames,
} from "../lab_server/preset_file.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import type { ProviderPreset } from "./preset.ts";

/** Loads each preset when it is used. */
const loaders: Readonly<Record<ProviderName, () => Promise<ProviderPreset>>> = {
  apple: async () => (await import("./apple.ts")).apple,
  auth0: async () => (await import("./auth0.ts")).auth0,
  cognito: async () => (await import("./cognito.ts")).cognito,
  discord: async () => (await import("./discord.ts")).discord,
  entra: async () => (await import("./entra.ts")).entra,
  google: async () => (await import("./google.ts")).google,
  github: async () => (await import("./github.ts")).github,
  gitlab: async () => (await import("./gitlab.ts")).gitlab,
  keycloak: async () => (await import("./keycloak.ts")).keycloak,
  linkedin: async () => (await import("./linkedin.ts")).linkedin,
  okta: async () => (await import("./okta.ts")).okta,
  slack: async () => (await import("./slack.ts")).slack,
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
        `import preset from "./${choice}" with { type: "json" }.`,
    );
  }
  if (typeof choice !== "object" || choice === null) return await loadPreset(choice);
  const { readPresetFile } = await import("./read_preset_file.ts");
  return readPresetFile(choice);
}

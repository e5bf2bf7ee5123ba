import {
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../../server/config/problems.ts";
import {
  type SettingsUnderCheck,
  unknownUserProblem,
} from "../../lab_server/check_lab_settings.ts";
import type { ProviderPreset } from "./presets/preset.ts";

/** A provider that a lab can play. */
export type ProviderName =
  | "apple"
  | "auth0"
  | "cognito"
  | "discord"
  | "entra"
  | "github"
  | "gitlab"
  | "google"
  | "keycloak"
  | "linkedin"
  | "okta"
  | "slack";

/** Loads the preset of each provider. */
export const presetLoaders: Readonly<Record<ProviderName, () => Promise<ProviderPreset>>> = {
  apple: async () => (await import("./presets/apple.ts")).apple,
  auth0: async () => (await import("./presets/auth0.ts")).auth0,
  cognito: async () => (await import("./presets/cognito.ts")).cognito,
  discord: async () => (await import("./presets/discord.ts")).discord,
  entra: async () => (await import("./presets/entra.ts")).entra,
  github: async () => (await import("./presets/github.ts")).github,
  gitlab: async () => (await import("./presets/gitlab.ts")).gitlab,
  google: async () => (await import("./presets/google.ts")).google,
  keycloak: async () => (await import("./presets/keycloak.ts")).keycloak,
  linkedin: async () => (await import("./presets/linkedin.ts")).linkedin,
  okta: async () => (await import("./presets/okta.ts")).okta,
  slack: async () => (await import("./presets/slack.ts")).slack,
};

/** Every provider that a lab can play. */
export const providerNames = Object.keys(presetLoaders) as readonly ProviderName[];

/** A preset in a file, which anyone may have written. */
export interface PresetFile {
  /**
   * The version of the format.
   *
   * @integer
   * @minimum 1
   * @maximum 1
   */
  preset: number;
  /** The name of the provider: lower-case letters, digits and hyphens. */
  name: string;
  /** The provider, as pages show it. */
  title: string;
  /** Where the facts come from, by a short name: a URL, and which text was read. */
  sources: Record<string, string[]>;
  /** The facts, by their id. */
  facts: Record<string, PresetFileFact>;
  /** Where the lab is stricter than the provider. */
  stricter: string[];
  /** What the provider has and the lab does not play, or what could not be known. */
  missing: string[];
}

/** A fact about a provider, in a file. */
export interface PresetFileFact {
  /** The names of its sources. */
  from: string[];
  /** The fact, as a sentence. */
  says: string;
  /** The settings of the lab that play it: those that a preset may have. */
  plays: Record<string, unknown>;
  /** Whether the sources leave doubt. */
  isUncertain?: boolean | undefined;
  /** Whether a test may choose otherwise. */
  isAdjustable?: boolean | undefined;
}

/** The path of a file with a preset, which the program reads in place of the lab. */
export type PresetPath = `${string}.json`;

/** A provider to play: its name, the content of a file with its preset, or the path of one. */
export type ProviderChoice = ProviderName | PresetFile | PresetPath;

/** The provider that a lab or a tenant plays. */
export interface ProviderSetting {
  /**
   * Plays a provider, as its preset describes, which other settings may not contradict
   * (`/lab/providers/NAME`). The value is a name, a preset, or the path of its file from the
   * configuration.
   *
   * @forTests it plays another provider, with what that permits
   * @atStart it is set at the start, or for a tenant
   */
  provider?: ProviderChoice | undefined;
  /**
   * Gives each provider its real host, such as `https://accounts.google.com`, which never leads to
   * the interface of the lab. One whose customers have hosts of their own needs the issuer: `{
   * "okta": "https://dev-1.okta.com" }`.
   *
   * @default false
   * @forTests it has the hosts of another provider
   * @atStart it is set at the start, or for a tenant
   */
  hosts?: boolean | Record<string, string> | undefined;
}

/** The providers that a whole lab plays in tenants. */
export interface ProvidersSetting {
  /**
   * Plays several providers, each in a tenant of its name: `/t/google`. They have the settings of
   * the lab.
   *
   * @forTests it plays other providers, with what they permit
   * @forWholeLab open a tenant with lab.tenant, or POST /lab/tenants
   */
  providers?: ProviderChoice[] | undefined;
  /**
   * The providers at which each user has an account: `{ "alice": ["google"] }`.
   *
   * @default all
   * @forTests it is about providers that are played
   * @forWholeLab it is set at the start
   */
  accounts?: Record<string, string[]> | undefined;
}

export function providerNameOf(choice: ProviderChoice): string {
  return typeof choice === "string" ? choice : choice.name;
}

/** Whether a text is the path of a preset, and not the name of one. */
export function isPresetPath(text: unknown): text is PresetPath {
  return typeof text === "string" && text.endsWith(".json");
}

/** Checks the providers that a lab plays in tenants, and who has an account with them. */
export function checkProviders(
  { provider, providers = [], accounts = {}, hosts = false, userNames }:
    & SettingsUnderCheck
    & ProviderSetting
    & ProvidersSetting,
  report: ReportProblem,
): void {
  if (provider !== undefined && providers.length > 0) {
    report("providers", "cannot be combined with 'provider': list all of them");
  }
  for (const [at, choice] of providers.entries()) {
    if (isKnown(choice)) continue;
    report(`providers[${at}]`, `must be a preset, or one of: ${providerNames.join(", ")}`);
  }
  const names = providers.map(providerNameOf);
  reportDuplicates(report, "providers", names);
  const unknown = Object.keys(accounts).find((name) => !userNames.includes(name));
  if (unknown !== undefined) report("accounts", unknownUserProblem(unknown, userNames));
  if (Object.keys(accounts).length > 0 && providers.length === 0) {
    report("accounts", "needs 'providers'");
  }
  for (const [name, accountNames] of Object.entries(accounts)) {
    reportUnlisted(report, `accounts.${name}`, accountNames, {
      among: [...providerNames, ...names],
      why: ", which is not a provider",
    });
  }
  if (hosts && provider === undefined && providers.length === 0) {
    report("hosts", "needs 'provider' or 'providers'");
  }
  if (typeof hosts === "object") {
    reportUnlisted(report, "hosts", Object.keys(hosts), {
      among: provider === undefined ? names : [...names, providerNameOf(provider)],
      why: ", which is not a provider of the lab",
    });
  }
}

/** The content of a file was checked when it was read. */
function isKnown(choice: ProviderChoice): boolean {
  return typeof choice === "object" || providerNames.some((name) => name === choice);
}

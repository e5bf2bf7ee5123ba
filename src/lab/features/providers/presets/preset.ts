import type { EndpointName } from "../../../../server/config/paths_config.ts";
import type { Duration } from "../../../../server/util/time/duration.ts";
import type { CoreLabConfig } from "../../../lab_server/core_lab_config.ts";

/** How a provider looks to its clients, as data: facts, each with its source and what plays it. */
export interface ProviderPreset {
  name: string;
  /** The provider, as its documentation names it. */
  title: string;
  /** Where the facts come from, by a short name. */
  sources: Readonly<Record<string, PresetSource>>;
  /** The facts, by an id: `form`, which the title of its test has as `github.form`. */
  facts: Readonly<Record<string, PresetFact>>;
  /** Where the lab is stricter than the provider. */
  stricter: readonly string[];
  /** What the provider has and the lab does not play. */
  missing: readonly string[];
}

/** A text that facts come from: its URL, and which text was read, by its date or version. */
export type PresetSource = readonly [url: string, text: string];

export interface PresetFact {
  /** The names of its sources. */
  from: readonly string[];
  /** The fact, as a sentence. */
  says: string;
  plays: PresetSettings;
  /** Whether the sources leave doubt. */
  isUncertain?: true;
  /** Whether customers of the provider choose this themselves, so that a test may, too. */
  isAdjustable?: true;
}

const coreSettings = [
  "scopes",
  "defaultScope",
  "idTokenClaims",
  "preferredUsername",
  "idTokenAlgs",
  "accessTokenType",
  "resources",
  "defaultResource",
  "audienceParameter",
  "grantTypes",
  "refreshTokens",
  "errorUri",
  "clientDefaults",
  "dialect",
] as const satisfies ReadonlyArray<keyof CoreLabConfig>;

/**
 * The settings that a preset may have: none decides who reaches the lab or what the lab reaches. Of
 * paths, lifetimes and grants, a lab plays those that its server has.
 */
export type PresetSettings =
  & {
    paths?: Readonly<Partial<Record<EndpointName, string>>>;
    lifetimes?: Readonly<Record<string, Duration>>;
  }
  & FeatureChoices
  & Partial<Pick<CoreLabConfig, typeof coreSettings[number]>>;

/** What a preset may choose of the settings of features. */
type FeatureChoices = {
  unknownClientPkce?: "required" | "or-nonce" | "optional" | undefined;
  responseTypes?: Array<"code" | "id_token" | "code id_token" | "fragment"> | undefined;
  redirectStatus?: number | undefined;
  logoutConfirmation?: "ask" | "skip" | undefined;
};

const otherSettings = {
  paths: true,
  lifetimes: true,
  unknownClientPkce: true,
  responseTypes: true,
  redirectStatus: true,
  logoutConfirmation: true,
} satisfies Record<Exclude<keyof PresetSettings, typeof coreSettings[number]>, true>;

export const presetSettingNames: readonly string[] = [
  ...coreSettings,
  ...Object.keys(otherSettings),
];

/** When the sources of all presets were read. */
export const readOn = "2026-11-22";

/** What every provider has in place of members that are ours alone. */
export const commonSettings: PresetSettings = { errorUri: false, preferredUsername: "claim" };

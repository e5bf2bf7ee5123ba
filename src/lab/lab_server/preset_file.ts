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

/** Every provider that a lab can play. */
export const providerNames: readonly ProviderName[] = [
  "apple",
  "auth0",
  "cognito",
  "discord",
  "entra",
  "github",
  "gitlab",
  "google",
  "keycloak",
  "linkedin",
  "okta",
  "slack",
];

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

/** Returns the name of a chosen provider. */
export function providerNameOf(choice: ProviderChoice): string {
  return typeof choice === "string" ? choice : choice.name;
}

/** Whether a text is the path of a preset, and not the name of one. */
export function isPresetPath(text: unknown): text is PresetPath {
  return typeof text === "string" && text.endsWith(".json");
}

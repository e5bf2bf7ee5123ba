/** A provider that a lab can play. */
export type ProviderName = "github" | "google";

/** Every provider that a lab can play. */
export const providerNames: readonly ProviderName[] = ["github", "google"];

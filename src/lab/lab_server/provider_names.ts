/** A provider that a lab can play. */
export type ProviderName = "entra" | "github" | "google" | "keycloak" | "okta";

/** Every provider that a lab can play. */
export const providerNames: readonly ProviderName[] = [
  "entra",
  "github",
  "google",
  "keycloak",
  "okta",
];

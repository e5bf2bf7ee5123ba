/** A provider that a lab can play. */
export type ProviderName =
  | "auth0"
  | "cognito"
  | "entra"
  | "github"
  | "github-actions"
  | "google"
  | "keycloak"
  | "okta";

/** Every provider that a lab can play. */
export const providerNames: readonly ProviderName[] = [
  "auth0",
  "cognito",
  "entra",
  "github",
  "github-actions",
  "google",
  "keycloak",
  "okta",
];

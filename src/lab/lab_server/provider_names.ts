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

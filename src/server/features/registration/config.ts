import { settingsPart } from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import type { Defaults } from "../../model/client.ts";
import type { Duration } from "../../util/time/duration.ts";
import settings from "./settings.json" with { type: "json" };

/** The path of the registration endpoint. */
export interface RegistrationPaths {
  /**
   * The registration endpoint. Registered clients manage themselves one segment below it.
   *
   * @format endpoint-path
   * @default "/oauth2/register"
   */
  register?: string;
}

/** How long a registration lasts. */
export interface RegistrationLifetimes {
  /**
   * A client that registered itself and is not used.
   *
   * @minimum 1s
   * @default "90d"
   */
  unusedClient?: Duration;
}

/** The settings of the server about registration. */
export interface RegistrationSetting {
  /**
   * Who may register clients (RFC 7591), and what clients may do that are not configured.
   *
   * @default no registration
   */
  registration?: RegistrationPolicy;
  /**
   * How many clients one network may register per minute.
   *
   * @minimum 1
   * @default 60
   */
  registrationsPerMinute?: number;
}

/**
 * Who may register clients, and what clients may do that are not configured. `"open"` means `{
 * open: true }`.
 */
export type RegistrationPolicy = "open" | RegistrationConfig;

/**
 * Who may register clients, and what clients may do that are not configured. Without `open` and
 * `initialAccessToken`, `allow` is for metadata documents alone.
 */
export interface RegistrationConfig {
  /** Whether anyone may register a client. */
  open?: boolean;
  /**
   * Allows its holders to register clients. At least 32 random characters.
   *
   * @format secret
   */
  initialAccessToken?: string | undefined;
  /**
   * Trusts a client that registered with the token like a configured one: errors are redirected to
   * it, and consent is remembered.
   */
  trusted?: boolean;
  /**
   * Whether a confidential one that registered with the token may leave PKCE out.
   *
   * @default "required"
   */
  pkce?: "required" | "optional";
  /**
   * The `aud` of assertions of one that registered with the token.
   *
   * @default "issuer"
   */
  assertionAudience?: "issuer" | "token-endpoint";
  /** What clients may ask for that are neither configured nor trusted. */
  allow?: AllowConfig;
}

/**
 * What clients may ask for that are neither configured nor trusted. The defaults are for clients
 * that registered openly, or have a metadata document. Those that registered with the initial
 * access token may ask for everything that is left out here; under the profile `mcp` so may all,
 * except for grants that ask no user.
 */
export interface AllowConfig {
  /**
   * The scopes.
   *
   * @format scope
   * @default the server's scopes of OpenID Connect
   */
  scopes?: string[] | "any";
  /**
   * The resources besides the default one and the issuer, also where the server has `any`.
   *
   * @format audience
   */
  resources?: string[] | "any";
  /** The types of `authorization_details`. */
  authorizationDetailsTypes?: string[] | "any";
  /**
   * The grants. Those without a browser of the user, such as `client_credentials` and CIBA, are for
   * confidential clients that registered with the initial access token.
   *
   * @default the server's grants that ask a user: code, refresh token, device
   */
  grantTypes?: string[];
}

// The schema of the policy replaces each reference to it.
linkSchemas(settings);

export const registrationServer = settingsPart<
  RegistrationSetting & { registrationsPerMinute: number }
>(settings.RegistrationSetting);

export const registrationDefaults = settings.RegistrationConfig.defaults as Defaults<
  RegistrationConfig,
  typeof settings.RegistrationConfig
>;

export const registrationPaths = settingsPart<Required<RegistrationPaths>>(
  settings.RegistrationPaths,
);

/** In seconds. */
export const registrationLifetimes = settingsPart<Record<keyof RegistrationLifetimes, number>>(
  settings.RegistrationLifetimes,
);

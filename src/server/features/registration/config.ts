import { settingsPart } from "../../config/feature_config.ts";
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

export const registrationPaths = settingsPart<Required<RegistrationPaths>>(
  settings.RegistrationPaths,
);

/** In seconds. */
export const registrationLifetimes = settingsPart<Record<keyof RegistrationLifetimes, number>>(
  settings.RegistrationLifetimes,
);

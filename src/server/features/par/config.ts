import { settingsPart } from "../../config/feature_config.ts";
import type { Duration } from "../../util/time/duration.ts";
import settings from "./settings.json" with { type: "json" };

/** The path of the pushed authorization request endpoint. */
export interface ParPaths {
  /**
   * The pushed authorization request endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/par"
   */
  par?: string;
}

/** How long pushed requests last. */
export interface ParLifetimes {
  /**
   * A pushed authorization request that is not used.
   *
   * @minimum 1s
   * @maximum 599s
   * @default "5m"
   */
  pushedRequest?: Duration;
}

export const parPaths = settingsPart<Required<ParPaths>>(settings.ParPaths);

/** In seconds. */
export const parLifetimes = settingsPart<Record<keyof ParLifetimes, number>>(
  settings.ParLifetimes,
);

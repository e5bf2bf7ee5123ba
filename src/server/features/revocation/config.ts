import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** The path of the revocation endpoint. */
export interface RevocationPaths {
  /**
   * The revocation endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/revoke"
   */
  revoke?: string;
}

export const revocationPaths = settingsPart<Required<RevocationPaths>>(settings.RevocationPaths);

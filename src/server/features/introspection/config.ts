import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** The path of the introspection endpoint. */
export interface IntrospectionPaths {
  /**
   * The introspection endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/introspect"
   */
  introspect?: string;
}

export const introspectionPaths = settingsPart<Required<IntrospectionPaths>>(
  settings.IntrospectionPaths,
);

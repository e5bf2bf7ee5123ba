/**
 * The settings of a server with every feature, and the types that they consist of. `mod.ts` exports
 * all of it.
 *
 * @module
 */

import type { CoreConfig } from "./config/config.ts";
import type { CoreLifetimesConfig } from "./config/lifetimes_config.ts";
import type { CorePathsConfig } from "./config/paths_config.ts";
import type {
  FeatureClientConfig,
  FeatureLifetimes,
  FeaturePages,
  FeaturePaths,
  FeatureServerConfig,
} from "./feature_types.ts";
import type { CoreClientConfig } from "./model/client_config.ts";
import type { CorePages } from "./pages/pages.ts";

export type * from "./feature_types.ts";

/** Where the endpoints are, below the issuer. The metadata and the pages follow. */
export interface PathsConfig extends CorePathsConfig, FeaturePaths {}

/** How long codes, tokens and sessions last. */
export interface LifetimesConfig extends CoreLifetimesConfig, FeatureLifetimes {}

/**
 * The pages of a server. A configuration may replace any of them, also by one that it first loads.
 */
export interface Pages extends CorePages, FeaturePages {}

/** The settings of a client. Only `id` is required. */
export interface ClientConfig extends CoreClientConfig, FeatureClientConfig {}

/** The settings of a server. Only `issuer` is required. */
export interface Config extends CoreConfig, FeatureServerConfig {
  /** The configured clients. */
  clients?: ClientConfig[];
  /** How long codes, tokens and sessions last. */
  lifetimes?: LifetimesConfig;
  /** Your own pages, in place of the default ones. */
  pages?: Partial<Pages>;
  /**
   * Where the endpoints are, for clients that cannot read the metadata.
   *
   * @default the paths of this server
   */
  paths?: PathsConfig;
}

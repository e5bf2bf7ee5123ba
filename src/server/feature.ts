import type { FeatureConfig } from "./config/feature_config.ts";
import type { Settings } from "./config/settings.ts";
import type { Route } from "./endpoints/route.ts";
import type { Grant } from "./grants/grant.ts";
import type { Abilities } from "./issuer/active_features.ts";
import type { EndpointUrls } from "./issuer/describe_server.ts";

/**
 * An optional specification with its endpoints, grants, pages or tables, and what it does for the
 * core. What binds or requires is not among it: the core refuses what no feature can prove.
 */
export interface Feature extends Partial<Abilities> {
  readonly name: string;
  /** The features that it cannot do without. */
  readonly needs?: readonly Feature[];
  /** Its settings. Without the feature, the configuration has no such setting. */
  readonly config?: FeatureConfig;
  readonly grants?: readonly Grant[];
  /** What it does under some settings only. */
  readonly under?: (settings: Settings) => Partial<Abilities>;
  /** Other parameters, and members of JSON, with secrets: no URI may have them, and no recording. */
  readonly secrets?: readonly string[];
  /** Its further parameters. Messages repeat no other name: it may be a secret in a wrong place. */
  readonly parameters?: readonly string[];
  /** Its endpoints at paths that no setting changes, so no endpoint can be put there. */
  readonly fixedRoutes?: readonly Route[];
  /** Its endpoints. The metadata names those that a member of it advertises. */
  readonly routes?: (settings: Settings) => readonly Route[];
  /** Further members of the metadata. They follow from what is known before the first request. */
  readonly metadata?: (
    settings: Settings,
    wrapper: { hostsDocuments: boolean },
    endpoints: EndpointUrls,
  ) => Readonly<Record<string, unknown>>;
}

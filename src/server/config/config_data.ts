import authorizationDetails from "../../../static/settings/authorization_details.json" with {
  type: "json",
};
import server from "../../../static/settings/server.json" with { type: "json" };
import type { Defaults } from "../model/client.ts";
import type { CoreConfig } from "./config.ts";
import type { InsecureConfig } from "./insecure_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import { linkSchemas } from "./link_schemas.ts";
import type { CorePathsConfig } from "./paths_config.ts";

type ServerData = typeof server;

export const configDefaults = server.CoreConfig.defaults as Defaults<
  CoreConfig,
  ServerData["CoreConfig"]
>;

export const insecureDefaults = server.InsecureConfig.defaults as Defaults<
  InsecureConfig,
  ServerData["InsecureConfig"]
>;

export const lifetimesDefaults = server.CoreLifetimesConfig.defaults as Defaults<
  CoreLifetimesConfig,
  ServerData["CoreLifetimesConfig"]
>;

export const pathsDefaults = server.CorePathsConfig.defaults as Defaults<
  CorePathsConfig,
  ServerData["CorePathsConfig"]
>;

const schemas = linkSchemas({
  ...authorizationDetails,
  ...server,
});

/** The schema of the settings of the core; those of the features are added. */
export const coreConfigSchema = schemas.CoreConfig;
export const coreClientSchema = schemas.CoreClientConfig;
export const userSchema = schemas.UserConfig;

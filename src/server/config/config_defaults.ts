import registration from "../../../static/settings/registration.json" with { type: "json" };
import server from "../../../static/settings/server.json" with { type: "json" };
import type { Defaults } from "../model/client_defaults.ts";
import type { Config } from "./config.ts";
import type { InsecureConfig } from "./insecure_config.ts";
import type { LifetimesConfig } from "./lifetimes_config.ts";
import type { PathsConfig } from "./paths_config.ts";
import type { RegistrationConfig } from "./registration_config.ts";
import type { UserConfig } from "./user_config.ts";

type ServerData = typeof server;

export const configDefaults = server.Config.defaults as Defaults<Config, ServerData["Config"]>;

export const insecureDefaults = server.InsecureConfig.defaults as Defaults<
  InsecureConfig,
  ServerData["InsecureConfig"]
>;

export const lifetimesDefaults = server.LifetimesConfig.defaults as Defaults<
  LifetimesConfig,
  ServerData["LifetimesConfig"]
>;

export const pathsDefaults = server.PathsConfig.defaults as Defaults<
  PathsConfig,
  ServerData["PathsConfig"]
>;

export const registrationDefaults = registration.RegistrationConfig.defaults as Defaults<
  RegistrationConfig,
  typeof registration.RegistrationConfig
>;

export const userDefaults = server.UserConfig.defaults as Defaults<
  UserConfig,
  ServerData["UserConfig"]
>;

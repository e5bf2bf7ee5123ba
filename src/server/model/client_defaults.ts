import server from "../../../static/settings/server.json" with { type: "json" };
import type { CoreClientConfig } from "./client_config.ts";

/** The defaults of an interface that depend on no other setting, as the data of it has them. */
export type Defaults<T, Data extends { defaults: object }> = Required<
  Pick<T, keyof T & keyof Data["defaults"]>
>;

export const clientDefaults = server.CoreClientConfig.defaults as Defaults<
  CoreClientConfig,
  typeof server.CoreClientConfig
>;

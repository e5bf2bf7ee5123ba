import authorizationDetails from "../../../static/settings/authorization_details.json" with {
  type: "json",
};
import server from "../../../static/settings/server.json" with { type: "json" };
import { linkSchemas } from "./link_schemas.ts";

const schemas = linkSchemas({
  ...authorizationDetails,
  ...server,
});

/** The schema of the settings of the core; those of the features are added. */
export const coreConfigSchema = schemas.CoreConfig;
export const coreClientSchema = schemas.CoreClientConfig;
export const userSchema = schemas.UserConfig;

import authorizationDetails from "../../../static/settings/authorization_details.json" with {
  type: "json",
};
import server from "../../../static/settings/server.json" with { type: "json" };
import trustedIssuers from "../../../static/settings/trusted_issuers.json" with { type: "json" };
import workloads from "../../../static/settings/workloads.json" with { type: "json" };
import { linkSchemas } from "./link_schemas.ts";

const schemas = linkSchemas({
  ...authorizationDetails,
  ...server,
  ...trustedIssuers,
  ...workloads,
});

/** The schema of the settings of the core; those of the features are added. */
export const coreConfigSchema = schemas.CoreConfig;
export const coreClientSchema = schemas.CoreClientConfig;
export const userSchema = schemas.UserConfig;

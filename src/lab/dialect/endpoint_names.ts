import type { EndpointName } from "../../server/config/paths_config.ts";
import type { EndpointField } from "../../server/model/server_metadata.ts";

/** The endpoints of a lab, by the member of metadata that names them. */
export const endpointNames: Readonly<Record<EndpointField, EndpointName>> = {
  authorization_endpoint: "authorize",
  token_endpoint: "token",
  jwks_uri: "jwks",
  userinfo_endpoint: "userinfo",
  end_session_endpoint: "logout",
  introspection_endpoint: "introspect",
  revocation_endpoint: "revoke",
  device_authorization_endpoint: "deviceAuthorization",
  registration_endpoint: "register",
  pushed_authorization_request_endpoint: "par",
};

/** Whether a member of metadata holds the URL of an endpoint that a lab can have. */
export function isEndpointField(name: string): name is EndpointField {
  return Object.hasOwn(endpointNames, name);
}

import type { PathsConfig } from "../../server/config/paths_config.ts";

/** The endpoints of a lab, by the member of metadata that names them. */
export const endpointNames: Readonly<Record<string, keyof PathsConfig>> = {
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

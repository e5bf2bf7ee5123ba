import { apiRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { authenticationAt } from "../../issuer/describe_server.ts";
import { introspectionPaths } from "./config.ts";
import { introspect } from "./introspect.ts";

/** Clients and APIs ask what a token means (RFC 7662), also in signed responses (RFC 9701). */
export const introspection: Feature = {
  name: "introspection",
  config: { paths: introspectionPaths },
  routes: ({ paths }) => [
    apiRoute("POST", introspectionPaths.of(paths).introspect, introspect, {
      metadata: "introspection_endpoint",
    }),
  ],
  metadata: ({ profile, idTokenAlgs }) => ({
    ...authenticationAt("introspection_endpoint", profile),
    introspection_endpoint_auth_methods_supported: profile.authentication.filter((method) =>
      method !== "none"
    ),
    introspection_signing_alg_values_supported: idTokenAlgs(),
  }),
};

import { apiRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { authenticationAt } from "../../issuer/describe_server.ts";
import { revocationPaths } from "./config.ts";
import { revoke } from "./revoke.ts";

/** Clients end their own tokens (RFC 7009). */
export const revocation: Feature = {
  name: "revocation",
  config: { paths: revocationPaths },
  routes: ({ paths }) => [
    apiRoute("POST", revocationPaths.of(paths).revoke, revoke, { metadata: "revocation_endpoint" }),
  ],
  metadata: ({ profile }) => authenticationAt("revocation_endpoint", profile),
};

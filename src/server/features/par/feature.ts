import { apiRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { parLifetimes, parPaths } from "./config.ts";

const { par } = lazyModule(() => import("./par.ts"));

/**
 * Clients send their authorization requests to the server first (RFC 9126). The core stores
 * requests and reads each `request_uri`, because requests by POST have one, too.
 */
export const pushedAuthorizationRequests: Feature = {
  name: "pushed authorization requests",
  config: { paths: parPaths, lifetimes: parLifetimes },
  routes: ({ paths }) => [
    apiRoute("POST", parPaths.of(paths).par, par, {
      metadata: "pushed_authorization_request_endpoint",
    }),
  ],
  metadata: ({ requirePar }) => requirePar ? { require_pushed_authorization_requests: true } : {},
};

import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import {
  isRequestUriOf,
  readsRequestUris,
  requestUrisClients,
  requestUrisServer,
} from "./config.ts";

const { readReferredRequest } = lazyModule(() => import("./read_referred_request.ts"));

/**
 * Clients publish signed request objects, and their requests name them (OpenID Connect Core, section
 * 6.2; RFC 9101, section 5.2).
 */
export const requestUris: Feature = {
  name: "request objects by reference",
  config: { server: requestUrisServer, clients: requestUrisClients },
  async requestAt(ctx, client, uri) {
    const isReadable = readsRequestUris(ctx.settings) && isRequestUriOf(client, uri);
    return isReadable ? await readReferredRequest(ctx, client, uri) : undefined;
  },
  metadata: (settings) =>
    readsRequestUris(settings)
      ? { request_uri_parameter_supported: true, require_request_uri_registration: true }
      : {},
};

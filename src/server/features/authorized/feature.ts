import { pageRoute, type RouteOptions } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { authorizedPages, callbackClients, callbackPath, startPath } from "./config.ts";

const { authorized, startAuthorization } = lazyModule(() => import("./authorized_page.ts"));

const options: RouteOptions = {
  enabled: (settings) => callbackClients(settings).length > 0,
};

/** A redirect URI for trying things by hand: it shows the response, and starts flows. */
export const callbackPage: Feature = {
  name: "callback page",
  config: { pages: authorizedPages },
  fixedRoutes: [
    pageRoute("GET", callbackPath, authorized, options),
    pageRoute("GET", startPath, startAuthorization, options),
  ],
};

import { lazyEndpoints } from "../../endpoints/lazy_endpoints.ts";
import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { callbackPath, hasCallbackClient, startPath } from "./callback_clients.ts";
import { authorizedPages } from "./config.ts";

const endpoint = lazyEndpoints(() => import("./endpoints.ts"));
const options = { enabled: hasCallbackClient };

/** A redirect URI for trying things by hand: it shows the response, and starts flows. */
export const callbackPage: Feature = {
  name: "callback page",
  config: { pages: authorizedPages },
  fixedRoutes: [
    pageRoute("GET", callbackPath, endpoint("authorized"), options),
    pageRoute("GET", startPath, endpoint("startAuthorization"), options),
  ],
};

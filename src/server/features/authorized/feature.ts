import { type Endpoint, pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { once } from "../../util/time/promises.ts";
import { authorizedPages, callbackPath, hasCallbackClient, startPath } from "./config.ts";

const loadPage = once(() => import("./authorized_page.ts"));
const loadStart = once(() => import("./start_authorization.ts"));

const show: Endpoint = async (ctx) => await (await loadPage()).authorized(ctx);
const start: Endpoint = async (ctx) => await (await loadStart()).startAuthorization(ctx);

const options = { enabled: hasCallbackClient };

/** A redirect URI for trying things by hand: it shows the response, and starts flows. */
export const callbackPage: Feature = {
  name: "callback page",
  config: { pages: authorizedPages },
  fixedRoutes: [
    pageRoute("GET", callbackPath, show, options),
    pageRoute("GET", startPath, start, options),
  ],
};

import { lazyEndpoints } from "../../endpoints/lazy_endpoints.ts";
import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { accountPages } from "./config.ts";

const endpoint = lazyEndpoints(() => import("./endpoints.ts"));

/** Users see where they are signed in and what has access, and change their password. */
export const accountManagement: Feature = {
  name: "account pages",
  config: { pages: accountPages },
  fixedRoutes: [
    pageRoute("GET", "/account", endpoint("account")),
    pageRoute("POST", "/account/sign-in", endpoint("signInToAccount")),
    pageRoute("GET", "/account/password", endpoint("showPasswordForm")),
    pageRoute("POST", "/account/password", endpoint("changePasswordByForm")),
    pageRoute("POST", "/account/sessions", endpoint("endSessions")),
    pageRoute("POST", "/account/remove", endpoint("removeAccess")),
  ],
};

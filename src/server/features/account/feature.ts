import { type Endpoint, lazyEndpoints, pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { once } from "../../util/time/promises.ts";
import { accountPages } from "./config.ts";

const accountPage = lazyEndpoints(() => import("./account_page.ts"));
const passwordPage = lazyEndpoints(() => import("./password_page.ts"));

const loadSignIn = once(() => import("./account_sign_in.ts"));
const signIn: Endpoint = async (ctx) => await (await loadSignIn()).signInToAccount(ctx);

/** Users see where they are signed in and what has access, and change their password. */
export const accountManagement: Feature = {
  name: "account pages",
  config: { pages: accountPages },
  fixedRoutes: [
    pageRoute("GET", "/account", accountPage("account")),
    pageRoute("POST", "/account/sign-in", signIn),
    pageRoute("GET", "/account/password", passwordPage("showPasswordForm")),
    pageRoute("POST", "/account/password", passwordPage("changePasswordByForm")),
    pageRoute("POST", "/account/sessions", accountPage("endSessions")),
    pageRoute("POST", "/account/remove", accountPage("removeAccess")),
  ],
};

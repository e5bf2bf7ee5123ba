import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { accountPages } from "./config.ts";

const accountPage = lazyModule(() => import("./account_page.ts"));
const waiting = lazyModule(() => import("./waiting_requests.ts"));
const signIn = lazyModule(() => import("./account_sign_in.ts"));
const passwordPage = lazyModule(() => import("./password_page.ts"));

/** Users see where they are signed in and what has access, and change their password. */
export const accountManagement: Feature = {
  name: "account pages",
  config: { pages: accountPages },
  secrets: ["current_password", "new_password", "repeated_password"],
  fixedRoutes: [
    pageRoute("GET", "/account", accountPage.account),
    pageRoute("POST", "/account/sign-in", signIn.signInToAccount),
    pageRoute("GET", "/account/password", passwordPage.showPasswordForm),
    pageRoute("POST", "/account/password", passwordPage.changePasswordByForm),
    pageRoute("POST", "/account/sessions", accountPage.endSessions),
    pageRoute("POST", "/account/remove", accountPage.removeAccess),
    pageRoute("POST", "/account/requests", waiting.openRequest),
  ],
};

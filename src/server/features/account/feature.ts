import { pageRoute } from "../../endpoints/route.ts";
import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import { accountPages } from "./config.ts";

const accountPage = lazyModule(() => import("./account_page.ts"));
const waiting = lazyModule(() => import("./waiting_requests.ts"));
const signIn = lazyModule(() => import("./account_sign_in.ts"));
const passwordPage = lazyModule(() => import("./password_page.ts"));
const choice = lazyModule(() => import("./choose_password_page.ts"));

/** The paths of the links by which users choose a password. */
const links = ["invite", "reset"] as const;

/** Users see where they are signed in and what has access, and change their password. */
export const accountManagement: Feature = {
  name: "account pages",
  config: { pages: accountPages },
  secrets: ["current_password", "new_password", "repeated_password", "link"],
  fixedRoutes: [
    pageRoute("GET", "/account", accountPage.account),
    pageRoute("POST", "/account/sign-in", signIn.signInToAccount),
    pageRoute("GET", "/account/password", passwordPage.showPasswordForm),
    pageRoute("POST", "/account/password", passwordPage.changePasswordByForm),
    pageRoute("POST", "/account/sessions", accountPage.endSessions),
    pageRoute("POST", "/account/remove", accountPage.removeAccess),
    pageRoute("POST", "/account/requests", waiting.openRequest),
    ...links.flatMap((kind) => [
      pageRoute("GET", `/${kind}`, (ctx) => choice.showPasswordChoice(ctx, kind)),
      pageRoute("POST", `/${kind}`, (ctx) => choice.choosePassword(ctx, kind)),
    ]),
  ],
};

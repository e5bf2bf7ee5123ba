import { settingsPart } from "../../config/feature_config.ts";
import type { Page } from "../../pages/page.ts";
import { once } from "../../util/time/promises.ts";
import type { AccountProps } from "./account.tsx";
import type { ChangePasswordProps } from "./change_password.tsx";
import settings from "./settings.json" with { type: "json" };

/** The pages on which users manage their account. */
export interface AccountPages {
  /** Shows a user's sessions, and the applications that have access. */
  account(props: AccountProps): Page | Promise<Page>;
  /** Asks for a new password. */
  changePassword(props: ChangePasswordProps): Page | Promise<Page>;
}

const loadPages = once(() => import("./pages.ts"));

const ourPages: AccountPages = {
  account: async (props) => (await loadPages()).Account(props),
  changePassword: async (props) => (await loadPages()).ChangePassword(props),
};

export const accountPages = settingsPart<AccountPages>(settings.AccountPages, ourPages);

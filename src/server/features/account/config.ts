import { settingsPart } from "../../config/feature_config.ts";
import type { Page } from "../../pages/frame.tsx";
import type { TextLoaders } from "../../pages/languages/languages.ts";
import { lazyModule } from "../../util/lazy_module.ts";
import type { AccountProps } from "./account.tsx";
import type { ChangePasswordProps } from "./change_password.tsx";
import type { ChoosePasswordProps } from "./choose_password.tsx";
import type { AccountPageWords } from "./languages/en.ts";
import settings from "./settings.json" with { type: "json" };

/** The pages on which users manage their account. */
export interface AccountPages {
  /** Shows a user's sessions, and the applications that have access. */
  account(props: AccountProps): Page | Promise<Page>;
  /** Asks for a new password. */
  changePassword(props: ChangePasswordProps): Page | Promise<Page>;
  /** Asks for the first password, or for one that replaces a forgotten one. */
  choosePassword(props: ChoosePasswordProps): Page | Promise<Page>;
}

const { Account } = lazyModule(() => import("./account.tsx"));
const { ChangePassword } = lazyModule(() => import("./change_password.tsx"));

const { ChoosePassword } = lazyModule(() => import("./choose_password.tsx"));

const ourPages: AccountPages = {
  account: Account,
  changePassword: ChangePassword,
  choosePassword: ChoosePassword,
};

export const accountPages = settingsPart<AccountPages>(settings.AccountPages, ourPages);

export const accountTexts: TextLoaders<AccountPageWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};

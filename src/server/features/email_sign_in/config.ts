import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** What users may type to sign in. */
export interface EmailSignInConfig {
  /**
   * Whether users may sign in with their e-mail address. It must be verified (`email_verified`), and
   * that of no other user; a user name wins.
   *
   * @default false
   */
  signInByEmail?: boolean;
}

export const emailSignInSettings = settingsPart<Required<EmailSignInConfig>>(
  settings.EmailSignInConfig,
);

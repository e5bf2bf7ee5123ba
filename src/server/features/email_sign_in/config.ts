import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** What users may type to sign in. */
export interface EmailSignInConfig {
  /**
   * Lets users sign in with their e-mail address, if it is verified (`email_verified`) and that of
   * no other user. A user name wins.
   */
  signInByEmail?: boolean;
}

export const emailSignInSettings = settingsPart<Required<EmailSignInConfig>>(
  settings.EmailSignInConfig,
);

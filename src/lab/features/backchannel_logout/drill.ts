import { endAtLab } from "../drill/login_steps.ts";
import { byLogoutStatus } from "../drill/variants/readers.ts";
import { either, type FeatureRows, refuse } from "../drill/variants/rows.ts";

const atLab = { steps: endAtLab, reads: byLogoutStatus } as const;

/** What can be wrong with a logout token, which anyone can send. */
export const logoutTokenRows: readonly FeatureRows[] = [{
  of: "login",
  rows: [
    ...refuse("must", "logoutToken", [
      "logout_token.wrong_iss",
      "logout_token.wrong_aud",
      "logout_token.expired",
      "logout_token.alg_none",
      "logout_token.hs256_with_public_key",
      "logout_token.foreign_signature",
      "logout_token.without_sub_and_sid",
      "logout_token.without_events",
      "logout_token.wrong_event",
      "logout_token.with_nonce",
      "logout_token.id_token",
    ], { ...atLab, requirement: "logout_token.forged" }),
    // The steps of the section do not ask for it.
    ...either("logoutJti", ["logout_token.without_jti"], {
      ...atLab,
      requirement: "logout_token.other_typ",
    }),
  ],
}];

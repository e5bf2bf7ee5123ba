import { type DrillVariant, either, refuse } from "../drill/variants/drill_variant.ts";

const after = { after: "backchannel_logout" } as const;

/** What can be wrong with a logout token, which anyone can send. */
export const logoutTokenVariants: readonly DrillVariant[] = [
  ...refuse("attack", "logoutToken", [
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
  ], after),
  // The steps of the section do not ask for it.
  ...either("logoutJti", ["logout_token.without_jti"], after),
];

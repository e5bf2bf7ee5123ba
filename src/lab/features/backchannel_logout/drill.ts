import { type DrillVariant, variantsAfter } from "../drill/variants/drill_variant.ts";

const see = "OpenID Connect Back-Channel Logout, section 2.6";

/** What can be wrong with a logout token. */
export const logoutTokenVariants: readonly DrillVariant[] = variantsAfter("backchannel_logout", [
  { fault: "logout_token.wrong_iss", expectation: "refuse", see },
  { fault: "logout_token.wrong_aud", expectation: "refuse", see },
  { fault: "logout_token.expired", expectation: "refuse", see },
  { fault: "logout_token.alg_none", expectation: "refuse", see },
  { fault: "logout_token.hs256_with_public_key", expectation: "refuse", see },
  { fault: "logout_token.foreign_signature", expectation: "refuse", see },
  { fault: "logout_token.without_sub_and_sid", expectation: "refuse", see },
  { fault: "logout_token.without_events", expectation: "refuse", see },
  { fault: "logout_token.wrong_event", expectation: "refuse", see },
  { fault: "logout_token.with_nonce", expectation: "refuse", see },
  // The steps of the section do not ask for it.
  { fault: "logout_token.without_jti", expectation: "either", see },
]);

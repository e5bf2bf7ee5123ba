import type { AfterLogin, DrillVariant } from "./drill_variant.ts";

const refreshed = "OpenID Connect Core, section 12.2";
const logoutToken = "OpenID Connect Back-Channel Logout, section 2.6";
const redirection = "OpenID Connect RP-Initiated Logout, section 3";

/** What can be wrong or unusual after a login: when tokens are refreshed, and at a sign-out. */
export const sessionVariants: readonly DrillVariant[] = [
  ...after("refresh", [
    { fault: "refresh.wrong_iss", expectation: "refuse", see: refreshed },
    { fault: "refresh.wrong_sub", expectation: "refuse", see: refreshed },
    { fault: "refresh.wrong_aud", expectation: "refuse", see: refreshed },
    // A requirement on the server, which a client need not check.
    { fault: "refresh.old_iat", expectation: "either", see: refreshed },
    { fault: "refresh.not_rotated", expectation: "accept", see: "OAuth 2.1, section 4.3.2" },
  ]),
  // By then, the session has ended, with any state.
  ...after("logout", [
    { fault: "logout.wrong_state", expectation: "either", see: redirection },
    { fault: "logout.without_state", expectation: "either", see: redirection },
  ]),
  ...after("backchannel_logout", [
    { fault: "logout_token.wrong_iss", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.wrong_aud", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.expired", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.alg_none", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.hs256_with_public_key", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.foreign_signature", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.without_sub_and_sid", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.without_events", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.wrong_event", expectation: "refuse", see: logoutToken },
    { fault: "logout_token.with_nonce", expectation: "refuse", see: logoutToken },
    // The steps of the section do not ask for it.
    { fault: "logout_token.without_jti", expectation: "either", see: logoutToken },
  ]),
];

function after(step: AfterLogin, variants: readonly DrillVariant[]): DrillVariant[] {
  return variants.map((variant) => ({ ...variant, after: step }));
}

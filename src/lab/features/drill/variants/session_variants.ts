import { logoutTokenVariants } from "../../backchannel_logout/drill.ts";
import { logoutVariants } from "../../logout/drill.ts";
import { type DrillVariant, variantsAfter } from "./drill_variant.ts";

const refreshed = "OpenID Connect Core, section 12.2";

/** What can be wrong or unusual after a login: when tokens are refreshed, and at a sign-out. */
export const sessionVariants: readonly DrillVariant[] = [
  ...variantsAfter("refresh", [
    { fault: "refresh.wrong_iss", expectation: "refuse", see: refreshed },
    { fault: "refresh.wrong_sub", expectation: "refuse", see: refreshed },
    { fault: "refresh.wrong_aud", expectation: "refuse", see: refreshed },
    // A requirement on the server, which a client need not check.
    { fault: "refresh.old_iat", expectation: "either", see: refreshed },
    { fault: "refresh.not_rotated", expectation: "accept", see: "OAuth 2.1, section 4.3.2" },
  ]),
  ...logoutVariants,
  ...logoutTokenVariants,
];

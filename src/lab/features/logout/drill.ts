import { type DrillVariant, variantsAfter } from "../drill/variants/drill_variant.ts";

const see = "OpenID Connect RP-Initiated Logout, section 3";

/** What can go wrong at the end of a sign-out. By then, the session has ended, with any state. */
export const logoutVariants: readonly DrillVariant[] = variantsAfter("logout", [
  { fault: "logout.wrong_state", expectation: "either", see },
  { fault: "logout.without_state", expectation: "either", see },
]);

import { type DrillVariant, either } from "../drill/variants/drill_variant.ts";

const state = {
  see: "OpenID Connect RP-Initiated Logout, section 3",
  why: "If the state parameter was included in the logout request, the OP passes its value back.",
  binds: "server",
} as const;

/** What can go wrong at the end of a sign-out. By then, the session has ended, with any state. */
export const logoutVariants: readonly DrillVariant[] = either(state, [
  "logout.wrong_state",
  "logout.without_state",
], { after: "logout" });

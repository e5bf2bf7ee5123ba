import { type DrillVariant, either } from "../drill/variants/drill_variant.ts";

/** What can go wrong at the end of a sign-out. By then, the session has ended, with any state. */
export const logoutVariants: readonly DrillVariant[] = either("logoutState", [
  "logout.wrong_state",
  "logout.without_state",
], { after: "logout" });

import { thenSignOut } from "../drill/login_steps.ts";
import { either, type FeatureRows } from "../drill/variants/rows.ts";

/** What can go wrong at the end of a sign-out. By then, the session has ended, with any state. */
export const logoutRows: readonly FeatureRows[] = [{
  of: "login",
  rows: either("logoutState", ["logout.wrong_state", "logout.without_state"], {
    steps: thenSignOut,
    requirement: "server_session",
  }),
}];

import type { LabFeature } from "../../feature.ts";
import { homeAfterLogout } from "./demo.ts";

/** The demo clients may return to their home pages after a sign-out. */
export const demoLogout: LabFeature = {
  name: "logout",
  leniency: {
    names: ({ logoutConfirmation: confirmation }) =>
      confirmation === "skip" ? ["logoutConfirmation: skip"] : [],
  },
  demo: { ofApplication: homeAfterLogout },
};

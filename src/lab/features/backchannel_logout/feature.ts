import { signLogoutToken } from "../../../server/features/backchannel_logout/logout_token.ts";
import type { LabFeature } from "../../feature.ts";

/** Logout tokens, which a test can mint. */
export const logoutTokens: LabFeature = {
  name: "backchannel_logout",
  tokens: { logout: signLogoutToken },
};

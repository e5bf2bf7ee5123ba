import { signLogoutToken } from "../../../server/features/backchannel_logout/logout_token.ts";

/** Logout tokens, which end all sessions of their subject. */
export const logoutTokens = { logout: signLogoutToken };

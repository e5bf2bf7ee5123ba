// They load together, with the first request for one of them.

export { account } from "./account_page.ts";
export { signInToAccount } from "./account_sign_in.ts";
export { endSessions } from "./end_sessions.ts";
export { changePasswordByForm, showPasswordForm } from "./password_page.ts";
export { removeAccess } from "./remove_access.ts";

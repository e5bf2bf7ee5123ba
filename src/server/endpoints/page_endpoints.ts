// The endpoints for people. They load together, with the first request for one of them.

export { account } from "./account/account.ts";
export { signInToAccount } from "./account/account_sign_in.ts";
export { endSessions } from "./account/end_sessions.ts";
export { changePasswordByForm, showPasswordForm } from "./account/password.ts";
export { removeAccess } from "./account/remove_access.ts";
export { authorize, authorizeByPost } from "./authorize.ts";
export { authorized } from "./authorized.ts";
export { home } from "./home.ts";
export { consent } from "./interaction/consent.ts";
export { interaction } from "./interaction/interaction.ts";
export { selectAccount } from "./interaction/select_account.ts";
export { signIn } from "./interaction/sign_in.ts";
export { signOut } from "./sign_out.ts";
export { startAuthorization } from "./start_authorization.ts";
export { favicon, staticFile } from "./static_files.ts";

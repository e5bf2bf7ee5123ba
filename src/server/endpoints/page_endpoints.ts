// The endpoints for people. They load together, with the first request for one of them.

export { authorize, authorizeByPost } from "./authorize.ts";
export { home } from "./home.ts";
export { consent } from "./interaction/consent.ts";
export { interaction } from "./interaction/interaction.ts";
export { selectAccount } from "./interaction/select_account.ts";
export { signIn } from "./interaction/sign_in.ts";
export { signOut } from "./sign_out.ts";
export { favicon, staticFile } from "./static_files.ts";

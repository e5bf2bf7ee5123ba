// The endpoints for people. They load together, with the first request for one of them.

export { authorize, authorizeByPost } from "./authorize.ts";
export { home } from "./home.ts";
export { consent } from "./interaction/interaction.ts";
export { interaction } from "./interaction/interaction.ts";
export { selectAccount } from "./interaction/interaction.ts";
export { signIn } from "./interaction/interaction.ts";
export { signOut } from "./sign_out.ts";
export { favicon, staticFile } from "./static_files.ts";

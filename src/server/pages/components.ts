export { Consent } from "./consent.tsx";
export { ErrorPage } from "./error.tsx";
export { FormPost } from "./form_post.tsx";
export { Home } from "./home.tsx";
export { SelectAccount } from "./select_account.tsx";
export { SignIn } from "./sign_in.tsx";
export { SignedOut } from "./signed_out.tsx";
export { staticFiles, staticPath } from "./our_files.ts";

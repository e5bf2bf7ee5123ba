import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Page } from "./frame.tsx";

export { Consent } from "./consent.tsx";
export { ErrorPage } from "./error.tsx";
export { FormPost } from "./form_post.tsx";
export { Home } from "./home.tsx";
export { SelectAccount } from "./select_account.tsx";
export { SignIn } from "./sign_in.tsx";
export { SignedOut } from "./signed_out.tsx";
export { staticFiles, staticPath } from "./our_files.ts";

/** Renders an element as HTML. */
export function renderElement(page: Page): string {
  return renderToString(page as VNode);
}

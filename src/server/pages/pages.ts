import { lazyModule } from "../util/lazy_module.ts";
import { once } from "../util/time/promises.ts";
import type { ConsentProps } from "./consent.tsx";
import type { ErrorProps } from "./error.tsx";
import type { FormPostProps } from "./form_post.tsx";
import type { Page } from "./frame.tsx";
import type { HomeProps } from "./home.tsx";
import type { SelectAccountProps } from "./select_account.tsx";
import type { SignInProps } from "./sign_in.tsx";
import type { SignedOutProps } from "./signed_out.tsx";

export type { FrameProps, Page } from "./frame.tsx";

/**
 * The pages of the core. A configuration may replace any of them, also by one that it loads.
 */
export interface CorePages {
  /** The home page. */
  home(props: HomeProps): Page | Promise<Page>;
  /** Asks a user to sign in. */
  signIn(props: SignInProps): Page | Promise<Page>;
  /** Asks which account a user wants to continue with. */
  selectAccount(props: SelectAccountProps): Page | Promise<Page>;
  /** Asks a user to allow or deny a request. */
  consent(props: ConsentProps): Page | Promise<Page>;
  /** Confirms a sign-out. */
  signedOut(props: SignedOutProps): Page | Promise<Page>;
  /** Sends an authorization response by POST. */
  formPost(props: FormPostProps): Page | Promise<Page>;
  /** Shows an error. */
  error(props: ErrorProps): Page | Promise<Page>;
}

/** Loads with the first page of the server: the components, and the files they need. */
export const loadPages = once(() => import("./components.ts"));

/** Loads with the first page, even if it uses none of these components. */
const loadRenderer = once(() => import("./render_element.ts"));

const components = lazyModule(loadPages);

/** The pages that Hallpass brings. */
export const ourPages: CorePages = {
  home: components.Home,
  signIn: components.SignIn,
  selectAccount: components.SelectAccount,
  consent: components.Consent,
  signedOut: components.SignedOut,
  formPost: components.FormPost,
  error: components.ErrorPage,
};

export async function renderPage(page: Page): Promise<string> {
  const { renderElement } = await loadRenderer();
  return `<!doctype html>${renderElement(page)}`;
}

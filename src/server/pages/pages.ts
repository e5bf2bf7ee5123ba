import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { Account, type AccountProps } from "./account.tsx";
import { Authorized, type AuthorizedProps } from "./authorized.tsx";
import { ChangePassword, type ChangePasswordProps } from "./change_password.tsx";
import { Consent, type ConsentProps } from "./consent.tsx";
import { Device, type DeviceProps } from "./device.tsx";
import { DeviceDone, type DeviceDoneProps } from "./device_done.tsx";
import { ErrorPage, type ErrorProps } from "./error.tsx";
import { FormPost, type FormPostProps } from "./form_post.tsx";
import { Home, type HomeProps } from "./home.tsx";
import type { Page } from "./page.ts";
import { SelectAccount, type SelectAccountProps } from "./select_account.tsx";
import { SignIn, type SignInProps } from "./sign_in.tsx";
import { SignOut, type SignOutProps } from "./sign_out.tsx";
import { SignedOut, type SignedOutProps } from "./signed_out.tsx";

export type { FrameProps } from "./frame.tsx";
export type { Page } from "./page.ts";

/** The pages of a server. A configuration may replace any of them. */
export interface Pages {
  /** The home page. */
  home(props: HomeProps): Page;
  /** Asks a user to sign in. */
  signIn(props: SignInProps): Page;
  /** Asks which account a user wants to continue with. */
  selectAccount(props: SelectAccountProps): Page;
  /** Asks a user to allow or deny a request. */
  consent(props: ConsentProps): Page;
  /** Asks for the code that a device shows. */
  device(props: DeviceProps): Page;
  /** Sends a user back to the device. */
  deviceDone(props: DeviceDoneProps): Page;
  /** Asks a user to confirm a sign-out. */
  signOut(props: SignOutProps): Page;
  /** Confirms a sign-out. */
  signedOut(props: SignedOutProps): Page;
  /** Shows a user's sessions, and the applications that have access. */
  account(props: AccountProps): Page;
  /** Asks for a new password. */
  changePassword(props: ChangePasswordProps): Page;
  /** Shows an authorization response to the developer of a client. */
  authorized(props: AuthorizedProps): Page;
  /** Sends an authorization response by POST. */
  formPost(props: FormPostProps): Page;
  /** Shows an error. */
  error(props: ErrorProps): Page;
}

/** The pages that Hallpass brings. */
export const ourPages: Pages = {
  home: Home,
  signIn: SignIn,
  selectAccount: SelectAccount,
  consent: Consent,
  device: Device,
  deviceDone: DeviceDone,
  signOut: SignOut,
  signedOut: SignedOut,
  account: Account,
  changePassword: ChangePassword,
  authorized: Authorized,
  formPost: FormPost,
  error: ErrorPage,
};

/** Renders a page as HTML. */
export function renderPage(page: Page): string {
  return `<!doctype html>${renderToString(page as VNode)}`;
}

import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { Account, type AccountProps } from "./account.tsx";
import { Authorized, type AuthorizedProps } from "./authorized.tsx";
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

/** Every page there is. A configuration may put its own in place of any of them. */
export interface Pages {
  home(props: HomeProps): Page;
  signIn(props: SignInProps): Page;
  selectAccount(props: SelectAccountProps): Page;
  consent(props: ConsentProps): Page;
  device(props: DeviceProps): Page;
  deviceDone(props: DeviceDoneProps): Page;
  signOut(props: SignOutProps): Page;
  signedOut(props: SignedOutProps): Page;
  account(props: AccountProps): Page;
  authorized(props: AuthorizedProps): Page;
  formPost(props: FormPostProps): Page;
  error(props: ErrorProps): Page;
}

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
  authorized: Authorized,
  formPost: FormPost,
  error: ErrorPage,
};

export function renderPage(page: Page): string {
  return `<!doctype html>${renderToString(page as VNode)}`;
}

import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { AccountProps } from "./account.tsx";
import { Account } from "./account.tsx";
import type { AuthorizedProps } from "./authorized.tsx";
import { Authorized } from "./authorized.tsx";
import type { ConsentProps } from "./consent.tsx";
import { Consent } from "./consent.tsx";
import type { DeviceProps } from "./device.tsx";
import { Device } from "./device.tsx";
import type { DeviceDoneProps } from "./device_done.tsx";
import { DeviceDone } from "./device_done.tsx";
import type { ErrorProps } from "./error.tsx";
import { ErrorPage } from "./error.tsx";
import type { FormPostProps } from "./form_post.tsx";
import { FormPost } from "./form_post.tsx";
import type { HomeProps } from "./home.tsx";
import { Home } from "./home.tsx";
import type { Page } from "./page.ts";
import type { SelectAccountProps } from "./select_account.tsx";
import { SelectAccount } from "./select_account.tsx";
import type { SignedOutProps } from "./signed_out.tsx";
import { SignedOut } from "./signed_out.tsx";
import type { SignInProps } from "./sign_in.tsx";
import { SignIn } from "./sign_in.tsx";
import type { SignOutProps } from "./sign_out.tsx";
import { SignOut } from "./sign_out.tsx";

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

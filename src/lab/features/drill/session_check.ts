import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { ApplicationBrowser } from "./application_browser.ts";
import type { CheckedApplication, LoginBrowsers, SignedInBrowser } from "./application_login.ts";
import type { CheckVerdict, DrillCheck } from "./check_verdict.ts";
import type { DrilledLab } from "./watch_lab.ts";

/** What a login and a sign-out showed, and what a check needs for logins of its own. */
export interface SeenSession extends LoginBrowsers {
  lab: DrilledLab;
  /** The client of the application, as far as the lab knows it. */
  client: ClientConfig | undefined;
  /** The user who signs in, and another one. */
  users: readonly [one: UserConfig, other: UserConfig];
  application: CheckedApplication;
  /** The redirect URIs with which it signs users in at other servers. */
  otherRedirectUris: ReadonlySet<string>;
  /** Waits in real time. */
  wait(milliseconds: number): Promise<void>;
  signedIn: SignedInBrowser;
  /** What the sign-out did; undefined if the drill knows none, or before it. */
  signedOut?: {
    /** The browser of someone who kept the cookies from before it. */
    kept: ApplicationBrowser;
    reachedLab: boolean;
    /** Whether the session at the lab is still open. */
    isOpenAtLab: boolean;
    /** Whether the client is registered for a sign-out at the lab. */
    isRegistered: boolean;
  } | undefined;
}

/** What a drill finds out about the session of an application, by its name. */
export type SessionCheckName =
  | "same_session"
  | "second_refresh"
  | "code_in_url"
  | "session_survives"
  | "old_cookie"
  | "server_session"
  | "open_redirect"
  | "other_issuer_callback"
  | "error_markup"
  | "denied_loop"
  | "cookie_flags"
  | "second_user"
  | "forged_session"
  | "account_by_email"
  | "account_without_sub"
  | "logout_ignored"
  | "other_session_ended"
  | "new_key";

/** Returns why nothing about the sign-out was checked. */
export function noSignOut({ application: { signOut } }: SeenSession): CheckVerdict {
  if (signOut === undefined) {
    return { skipped: "The drill found nothing that signs out, and was given no URL." };
  }
  return { skipped: `Not checked: ${signOut}` };
}

/** One thing that a drill finds out about the session of an application. */
export interface SessionCheck extends DrillCheck {
  id: SessionCheckName;
  /** Whether it is about what is left after the sign-out. */
  isAfterSignOut: boolean;
  run(session: SeenSession): Promise<CheckVerdict>;
}

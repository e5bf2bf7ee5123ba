/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { type Content, Frame, type FrameProps, type GuardedForm } from "../../pages/frame.tsx";
import { formatAge, Phrase } from "../../pages/languages/phrases.tsx";
import { type DescribedUser, UserIdentity } from "../../pages/parties.tsx";
import { ConnectedApp, type ConnectedAppProps } from "./connected_app.tsx";
import type { AccountPageWords } from "./languages/en.ts";
import { SessionList, type SessionProps } from "./session_list.tsx";
import { WaitingList, type WaitingRequestsProps } from "./waiting_list.tsx";

/** The props of the page on which users manage their sessions, password and applications. */
export interface AccountProps extends FrameProps<AccountPageWords> {
  /** The user who is signed in. */
  user: DescribedUser;
  /** The form that signs the user out. */
  signOut: GuardedForm;
  /** The requests that wait for the user. */
  waiting: WaitingRequestsProps;
  /** The user's sessions, that of this browser first. */
  sessions: SessionProps[];
  /**
   * The form that ends other sessions. Its field `session` is the `sid` of one, or `others` for all
   * of them.
   */
  endSessions: GuardedForm;
  /** The password, if the user can change it here. */
  password?: PasswordProps | undefined;
  /** The passkeys, if the server has them. */
  passkeys?: Content | undefined;
  /** The applications that have access. */
  apps: ConnectedAppProps[];
  /** The URL of the next page of applications, if there are more. */
  moreApps?: string | undefined;
  /** The value of the hidden field `form_token` of the forms that remove access. */
  formToken: string;
}

/** What the page shows about a password. */
export interface PasswordProps {
  /** Where the user changes it. */
  href: string;
  /** How long ago it was changed, in seconds, if that is known. */
  age?: number | undefined;
}

export function Account(props: AccountProps): VNode {
  const { language, user, signOut } = props;
  const { common } = language.words;
  return (
    <Frame {...props} title={common.yourAccount} width="narrow">
      <section class="hero">
        <h1>{common.yourAccount}</h1>
      </section>
      <form id="sign-out" class="account" method="post" action={signOut.action}>
        <input type="hidden" name="form_token" value={signOut.formToken} />
        <UserIdentity user={user} />
        <button class="link" type="submit">{common.signOut}</button>
      </form>
      <WaitingList {...props} />
      <SessionList {...props} />
      <Password {...props} />
      {props.passkeys as ComponentChildren}
      <ConnectedApps {...props} />
    </Frame>
  );
}

function Password({ password, language }: AccountProps): VNode | null {
  if (!password) return null;
  const { signIn, account } = language.words;
  const { href, age } = password;
  return (
    <section class="card" id="password">
      <h2>{signIn.password}</h2>
      {age !== undefined && (
        <p class="fine">
          <Phrase text={account.passwordChanged} parts={{ when: formatAge(language, age) }} />
        </p>
      )}
      <a id="change-password" class="button secondary" href={href}>{account.changePassword}</a>
    </section>
  );
}

function ConnectedApps({ apps, moreApps, formToken, language }: AccountProps): VNode {
  const { account, common } = language.words;
  return (
    <section class="card" id="connected-apps">
      <h2>{common.connectedApps}</h2>
      <p class="lead">{apps.length > 0 ? account.someApps : account.noApps}</p>
      {apps.map((app) => <ConnectedApp app={app} formToken={formToken} language={language} />)}
      {moreApps !== undefined && <a id="more-apps" href={moreApps}>{account.moreApps}</a>}
    </section>
  );
}

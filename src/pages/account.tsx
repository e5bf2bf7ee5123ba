/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Receivers } from "./about_client.tsx";
import { AccessList, type AccessListProps } from "./access_list.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import { formatDay } from "./languages/formats.ts";
import type { Language } from "./languages/languages.ts";
import { Phrase } from "./languages/phrase.tsx";
import { type DescribedUser, UserIdentity } from "./user_identity.tsx";

/** The props of the page on which users see which applications have access, and remove it. */
export interface AccountProps extends FrameProps {
  /** The user who is signed in. */
  user: DescribedUser;
  /** The applications that have access. */
  apps: ConnectedAppProps[];
  /** The value of the hidden field `form_token` of the forms that remove access. */
  formToken: string;
  /** The form that signs the user out. */
  signOut: SignOutForm;
}

/** The form that signs the user out. */
export interface SignOutForm {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
}

/** An application, and what the user has allowed it. */
export interface ConnectedAppProps extends AccessListProps, ClientWarningProps {
  /** The `client_id`. */
  clientId: string;
  /** The name of the application. */
  name: string;
  /** Its host on the web. An app on the user's own device has none. */
  host?: string | undefined;
  /** The day of the first permission, as YYYY-MM-DD. */
  since: string;
  /** The day of the latest permission, as YYYY-MM-DD. */
  latest: string;
  /** Where the form is sent. */
  action: string;
}

interface AppCardProps {
  app: ConnectedAppProps;
  language: Language;
}

/** The default page `account`. */
export function Account(props: AccountProps): VNode {
  const { language, user, apps, formToken, signOut } = props;
  const { account, common } = language.words;
  return (
    <Frame {...props} title={common.connectedApps} width="narrow">
      <section class="hero">
        <h1>{common.connectedApps}</h1>
        <p class="lead">{apps.length > 0 ? account.someApps : account.noApps}</p>
      </section>
      <form id="sign-out" class="account" method="post" action={signOut.action}>
        <input type="hidden" name="form_token" value={signOut.formToken} />
        <UserIdentity user={user} />
        <button class="link" type="submit">{common.signOut}</button>
      </form>
      {apps.map((app) => <ConnectedApp app={app} formToken={formToken} language={language} />)}
    </Frame>
  );
}

function ConnectedApp({ app, formToken, language }: AppCardProps & { formToken: string }): VNode {
  const { clientId, name, action } = app;
  const heading = `app-name-${clientId}`;
  return (
    <section class="card" id={`app-${clientId}`}>
      <h2 id={heading}>
        <bdi>{name}</bdi>
      </h2>
      <ul class="facts-line">
        <li>
          <Location app={app} language={language} />
        </li>
        <Days app={app} language={language} />
      </ul>
      <AccessList {...app} language={language} />
      <form id={`remove-${clientId}`} method="post" action={action}>
        <input type="hidden" name="form_token" value={formToken} />
        <input type="hidden" name="client_id" value={clientId} />
        <button type="submit" class="secondary" aria-describedby={heading}>
          {language.words.account.remove}
        </button>
      </form>
    </section>
  );
}

/**
 * Shows where an application is. An untrusted one chose its own redirect URIs, so all of their
 * receivers are named.
 */
function Location({ app: { host, untrustedClient }, language }: AppCardProps): VNode {
  const words = language.words.account;
  if (!untrustedClient) return host ? <code>{host}</code> : <>{words.onDevice}</>;
  const receivers = <Receivers receivers={untrustedClient.receivers} language={language} />;
  return (
    <>
      {untrustedClient.host
        ? (
          <Phrase
            text={words.describesItself}
            parts={{ host: <bdi>{untrustedClient.host}</bdi> }}
          />
        )
        : words.registeredItself} · <Phrase text={words.sentTo} parts={{ receivers }} />
    </>
  );
}

function Days({ app: { since, latest }, language }: AppCardProps): VNode {
  const words = language.words.account;
  const day = (date: string) => <time datetime={date}>{formatDay(language, date)}</time>;
  return (
    <>
      <li>
        <Phrase text={words.since} parts={{ date: day(since) }} />
      </li>
      {latest !== since && (
        <li>
          <Phrase text={words.lastAllowed} parts={{ date: day(latest) }} />
        </li>
      )}
    </>
  );
}

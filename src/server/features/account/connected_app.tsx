/** @jsxImportSource preact */
import type { VNode } from "preact";
import { AccessList, type AccessListProps } from "../../pages/access_list.tsx";
import type { Language } from "../../pages/languages/languages.ts";
import { formatDay, Phrase } from "../../pages/languages/phrases.tsx";
import { type ClientWarningProps, Receivers } from "../../pages/parties.tsx";
import type { AccountPageWords } from "./languages/en.ts";

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
  /** Whether the operator allowed it for all users. */
  byOperator?: boolean;
  /** Where the form is sent. */
  action: string;
}

interface AppCardProps {
  app: ConnectedAppProps;
  language: Language<AccountPageWords>;
}

/** Shows an application that has access, and the button that takes it away. */
export function ConnectedApp(
  { app, formToken, language }: AppCardProps & { formToken: string },
): VNode {
  const { clientId, name, action } = app;
  const heading = `app-name-${clientId}`;
  return (
    <section class="part" id={`app-${clientId}`}>
      <h2 id={heading}>
        <bdi>{name}</bdi>
      </h2>
      <ul class="facts-line">
        <li>
          <Location app={app} language={language} />
        </li>
        {app.byOperator && <li>{language.words.account.byOperator}</li>}
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

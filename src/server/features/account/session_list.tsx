/** @jsxImportSource preact */
import type { VNode } from "preact";
import { FoldedList } from "../../pages/access_list.tsx";
import type { GuardedForm } from "../../pages/frame.tsx";
import type { Language } from "../../pages/languages/languages.ts";
import { formatAge, Phrase } from "../../pages/languages/phrases.tsx";
import type { AccountPageWords } from "./languages/en.ts";

/** A session of the user. */
export interface SessionProps {
  /** The `sid` of the session. */
  sid: string;
  /** Whether it is the session of this browser. */
  isCurrent: boolean;
  /** The name of the browser, if it is known. */
  browser?: string | undefined;
  /** The name of the browser's operating system, if it is known. */
  system?: string | undefined;
  /** How long ago the user signed in, in seconds. */
  age: number;
}

interface SessionListProps {
  sessions: SessionProps[];
  endSessions: GuardedForm;
  language: Language<AccountPageWords>;
}

/** Shows where a user is signed in, with buttons that end the other sessions. */
export function SessionList(props: SessionListProps): VNode {
  const { sessions, language } = props;
  const words = language.words.account;
  const entries = sessions.map((session) => <SessionEntry {...props} session={session} />);
  return (
    <section class="card" id="sessions">
      <h2>{words.sessions}</h2>
      <FoldedList class="sessions" entries={entries} language={language} />
      {sessions.length > 1 && <EndOthers {...props} />}
    </section>
  );
}

function SessionEntry(
  { session, endSessions, language }: SessionListProps & { session: SessionProps },
): VNode {
  const { sid, isCurrent, age } = session;
  const words = language.words.account;
  const name = `session-name-${sid}`;
  return (
    <li id={`session-${sid}`}>
      <span id={name}>
        <span class="name">
          <BrowserName session={session} language={language} />
        </span>
        <span class="fine">
          {isCurrent && <strong>{words.thisBrowser} ·</strong>}{" "}
          <Phrase text={words.signedIn} parts={{ when: formatAge(language, age) }} />
        </span>
      </span>
      {!isCurrent && (
        <form id={`end-session-${sid}`} method="post" action={endSessions.action}>
          <input type="hidden" name="form_token" value={endSessions.formToken} />
          <input type="hidden" name="session" value={sid} />
          <button class="link" type="submit" aria-describedby={name}>
            {language.words.common.signOut}
          </button>
        </form>
      )}
    </li>
  );
}

function EndOthers({ endSessions, language }: SessionListProps): VNode {
  const words = language.words.account;
  return (
    <form id="end-other-sessions" method="post" action={endSessions.action}>
      <input type="hidden" name="form_token" value={endSessions.formToken} />
      <input type="hidden" name="session" value="others" />
      <button class="secondary" type="submit">{words.endOthers}</button>
      <p class="fine">{language.words.common.signOutEffect}</p>
    </form>
  );
}

function BrowserName(
  { session: { browser, system }, language }: {
    session: SessionProps;
    language: Language<AccountPageWords>;
  },
): VNode {
  const words = language.words.account;
  if (!browser || !system) return <>{browser ?? system ?? words.unknownBrowser}</>;
  const parts = { browser: <bdi>{browser}</bdi>, system: <bdi>{system}</bdi> };
  return <Phrase text={words.browserOn} parts={parts} />;
}

/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { Frame, type FrameProps, type GuardedForm } from "../../pages/frame.tsx";
import type { Language } from "../../pages/languages/languages.ts";
import { formatAge, formatDay, Phrase } from "../../pages/languages/phrases.tsx";
import { type DescribedUser, UserIdentity } from "../../pages/parties.tsx";
import type { PasskeyProblem, PasskeyWords } from "./languages/en.ts";
import type { Owner, Passkey } from "./passkeys.ts";
import { CeremonyForm, type ScriptProps } from "./sign_in_form.tsx";

/** What pages show of the passkeys of a user. */
export interface ListProps extends Pick<Owner, "passkeys" | "changes"> {
  language: Language<PasskeyWords>;
  /** In milliseconds. */
  now: number;
  /** The host that passkeys work for. */
  rpId: string;
}

/** What the form that adds a passkey has. */
export interface AddProps extends GuardedForm, ScriptProps {
  creation: object;
}

/** The section of the account page. A user of the configuration has no list. */
export function PasskeySection(
  { language: { words }, href, list }: {
    language: Language<PasskeyWords>;
    href: string;
    list: ListProps | undefined;
  },
): VNode {
  const { passkeys: texts } = words;
  return (
    <section class="card" id="passkeys">
      <h2>{texts.title}</h2>
      {!list && <p class="lead">{texts.ofConfiguration}</p>}
      {list?.passkeys.length === 0 && <p class="lead">{texts.none}</p>}
      {list?.passkeys.map((passkey) => (
        <div class="part">
          <Described {...list} passkey={passkey} />
        </div>
      ))}
      {list && <Changes {...list} />}
      {list && <a id="manage-passkeys" class="button secondary" href={href}>{texts.manage}</a>}
    </section>
  );
}

/** The page on which users add passkeys, by a link, too, and change them. */
export function PasskeysPage(
  { lead, user, problem, add, next, children, ...frame }: FrameProps<PasskeyWords> & {
    lead: string;
    user?: DescribedUser;
    problem?: PasskeyProblem | undefined;
    add?: AddProps;
    next?: { href: string; text: string } | undefined;
    children?: ComponentChildren;
  },
): VNode {
  const { passkeys: words } = frame.language.words;
  return (
    <Frame {...frame} title={words.title} width="narrow">
      <section class="card">
        <h1>{words.title}</h1>
        <p class="lead">{lead}</p>
        {user && <UserIdentity user={user} />}
        {problem && <p class="alert" id="passkey-problem" role="alert">{words.problems[problem]}
        </p>}
        {add && (
          <CeremonyForm {...add} id="add-passkey" button={words.add}>
            <input type="hidden" name="change" value="add" />
            <p class="alert" id="passkey-unavailable">{words.needsScript}</p>
          </CeremonyForm>
        )}
        {children}
        {next && <a id="next" href={next.href}>{next.text}</a>}
      </section>
    </Frame>
  );
}

/** The passkeys of a user, each with its forms. The script tells the browser which there are. */
export function ChangeableList(
  props: ListProps & GuardedForm & { handle: string; only: boolean | undefined },
): VNode {
  const { passkeys, action, formToken, rpId, handle, only, language } = props;
  const { passkeys: words } = language.words;
  const Form = ({ id, change, passkey, children, button }: {
    id: string;
    change: string;
    button: string;
    passkey?: Passkey;
    children?: ComponentChildren;
  }) => (
    <form id={id} method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="change" value={change} />
      {passkey && <input type="hidden" name="passkey_key" value={passkey.key} />}
      {children}
      <button
        type="submit"
        class="secondary"
        aria-describedby={passkey && `passkey-${passkey.key}`}
      >
        {button}
      </button>
    </form>
  );
  const ids = passkeys.map(({ id }) => id).join(" ");
  return (
    <div id="passkey-list" data-rp-id={rpId} data-user-id={handle} data-ids={ids}>
      {passkeys.map((passkey) => (
        <section class="part">
          <Described {...props} passkey={passkey} heading="h2" />
          <Form
            id={`rename-${passkey.key}`}
            change="rename"
            passkey={passkey}
            button={words.rename}
          >
            <label for={`name-${passkey.key}`}>{words.name}</label>
            <input
              id={`name-${passkey.key}`}
              name="passkey_name"
              value={passkey.name}
              maxlength={60}
              required
              dir="auto"
            />
          </Form>
          <Form
            id={`remove-${passkey.key}`}
            change="remove"
            passkey={passkey}
            button={words.remove}
          />
        </section>
      ))}
      {only === true && <Form id="also-password" change="also" button={words.alsoPassword} />}
      {only === false && (
        <Form id="only-passkeys" change="only" button={words.onlyPasskeys}>
          <p class="fine">{words.onlyEffect}</p>
        </Form>
      )}
    </div>
  );
}

function Described(
  { passkey, language, now, rpId: ownRpId, heading: Heading = "h3" }: ListProps & {
    passkey: Passkey;
    heading?: "h2" | "h3";
  },
): VNode {
  const { passkeys: words } = language.words;
  const { key, name, createdAt, usedAt, isBackedUp, transports, userAgent, rpId } = passkey;
  const browser = [userAgent.browser, userAgent.system].filter(Boolean).join(" · ");
  const date = formatDay(language, new Date(createdAt).toISOString().slice(0, 10));
  const when = usedAt !== undefined && formatAge(language, ageOf(now, usedAt));
  return (
    <>
      <Heading id={`passkey-${key}`}>
        <bdi>{name}</bdi>
      </Heading>
      <ul class="facts-line">
        <li>{isBackedUp ? words.synced : words.onOneDevice}</li>
        {transports.length > 0 && <li dir="ltr">{transports.join(", ")}</li>}
        {browser && browser !== name && <li dir="auto">{browser}</li>}
        <li>
          <Phrase text={words.added} parts={{ date }} />
        </li>
        <li>{when ? <Phrase text={words.lastUsed} parts={{ when }} /> : words.neverUsed}</li>
        {rpId !== ownRpId && (
          <li>
            <Phrase text={words.otherHost} parts={{ host: <bdi>{rpId}</bdi> }} />
          </li>
        )}
      </ul>
    </>
  );
}

function Changes({ changes, language, now }: ListProps): VNode | null {
  const { passkeys: words } = language.words;
  if (changes.length === 0) return null;
  return (
    <>
      <h3>{words.recent}</h3>
      <ul class="facts-line" id="passkey-changes">
        {changes.map(({ change, name, at }) => (
          <li>
            <Phrase
              text={words.changes[change]}
              parts={{ name: <bdi>{name}</bdi>, when: formatAge(language, ageOf(now, at)) }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** In seconds. The clock of another server may be ahead. */
function ageOf(now: number, at: number): number {
  return Math.max(0, now - at) / 1000;
}

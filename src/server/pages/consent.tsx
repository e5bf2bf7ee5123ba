/** @jsxImportSource preact */
import type { VNode } from "preact";
import { AccessList, type AccessListProps, AllowedBeforeList } from "./access_list.tsx";
import { Frame, type FrameProps, type GuardedForm } from "./frame.tsx";
import { formatNumber, Phrase } from "./languages/phrases.tsx";
import { type AboutClientProps, ClientName, Links, UserIdentity, Warning } from "./parties.tsx";
import type { AccountForm } from "./select_account.tsx";

/** What a user is asked to allow. What was allowed before is apart, and not asked for again. */
export interface ConsentQuestionProps extends AccessListProps {
  /**
   * The scopes that the user may refuse one by one. The form sends them in the field `choices`,
   * with spaces between, and those that the user allows in fields `scope`. If it is empty, or the
   * form has no field `choices`, the user allows all or nothing.
   */
  choices: string[];
  /** What the user allowed the application before, of what it asks for. */
  allowedBefore: Pick<AccessListProps, "scopes" | "claims">;
}

/** The props of the page on which a user allows or denies a request. */
export interface ConsentProps
  extends FrameProps, ConsentQuestionProps, AboutClientProps, GuardedForm {
  /** The name of the client. */
  clientName: string;
  /** The user who is signed in, and the form that changes it. */
  account: AccountForm;
  /** The page on which users manage their account, if the server has it. */
  accountPath?: string | undefined;
  /** Where the browser goes next. Absent if the client polls for the response. */
  redirectUri?: string | undefined;
  /** A warning about a request whose client polls for the response. */
  caution?: ConsentCaution | undefined;
}

/** What users must read before they allow a request. */
export interface ConsentCaution {
  /** The id of the element. */
  id: string;
  /** The text, in the language of the page. */
  text: string;
  /** What the client also shows, in its own words, so that the user can compare. */
  quoted?: string | undefined;
}

export function Consent(props: ConsentProps): VNode {
  const { language, clientName, caution } = props;
  const words = language.words.consent;
  return (
    <Frame {...props} title={words.title} width="narrow" guard>
      <section class="card">
        <h1>{words.question}</h1>
        <ClientName name={clientName} />
        <p class="lead">{words.wantsAccess}</p>
        <Destination {...props} />
        <Links {...props} />
        <CurrentAccount {...props} />
        <Warning {...props} />
        {caution && <Caution {...caution} />}
        <AccessList {...props} form="consent" />
        <AllowedBeforeList {...props.allowedBefore} language={language} />
        <ConsentForm {...props} />
      </section>
    </Frame>
  );
}

function Caution({ id, text, quoted }: ConsentCaution): VNode {
  return (
    <p class="caution" id={id}>
      {text}
      {quoted !== undefined && <strong class="quoted" dir="auto">{quoted}</strong>}
    </p>
  );
}

function CurrentAccount({ language, account }: ConsentProps): VNode {
  return (
    <form id="change-account" class="account" method="post" action={account.action}>
      <input type="hidden" name="form_token" value={account.formToken} />
      <UserIdentity user={account.user} />
      <button class="link" type="submit" name="account" value="other">
        {language.words.common.anotherAccount}
      </button>
    </form>
  );
}

/** Names where the browser goes next, in view while the user can allow it. */
function Destination({ language, redirectUri }: ConsentProps): VNode | null {
  if (!redirectUri) return null;
  const address = <code dir="ltr">{redirectUri}</code>;
  return (
    <p class="fine" id="destination">
      <Phrase text={language.words.consent.redirect} parts={{ address }} />
    </p>
  );
}

/**
 * The form stays in view, however long the list of scopes is. Firefox must not bring back the boxes
 * of an earlier visit.
 */
function ConsentForm(props: ConsentProps): VNode {
  const { language, action, formToken, choices } = props;
  const words = language.words.consent;
  return (
    <form
      id="consent"
      class="choices sticky"
      method="post"
      action={action}
      autocomplete="off"
    >
      <input type="hidden" name="form_token" value={formToken} />
      {choices.length > 0 && <input type="hidden" name="choices" value={choices.join(" ")} />}
      <p class="count">
        <PermissionCount {...props} />
        <TakeBack {...props} />
      </p>
      <button id="allow" type="submit" name="decision" value="allow" data-guarded>
        {words.allow}
      </button>
      <button id="deny" type="submit" class="secondary" name="decision" value="deny">
        {words.deny}
      </button>
    </form>
  );
}

/**
 * Says how many permissions the button grants, because the list may be longer than the window.
 * Without a script, only the style sheet can count the boxes that are ticked.
 */
function PermissionCount({ language, scopes, claims, details, choices }: ConsentProps): VNode {
  const { permissions, permissionsOf } = language.words.consent;
  const total = formatNumber(language, scopes.length + claims.length + details.length);
  const parts = { total, chosen: <span class="chosen" /> };
  return (
    <span id="permission-count">
      <Phrase text={choices.length > 0 ? permissionsOf : permissions} parts={parts} />
    </span>
  );
}

/** Next to the buttons, which would hide it below a long list. */
function TakeBack({ accountPath, language }: ConsentProps): VNode | null {
  if (!accountPath) return null;
  const { consent, common } = language.words;
  const page = <a href={`${accountPath}#connected-apps`}>{common.connectedApps}</a>;
  return (
    <>
      {" · "}
      <Phrase text={consent.takeBack} parts={{ page }} />
    </>
  );
}

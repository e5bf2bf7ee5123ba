/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type AboutClientProps, ClientName, Links, Warning } from "./about_client.tsx";
import { AccessList, type AccessListProps } from "./access_list.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import { Phrase } from "./languages/phrase.tsx";
import type { AccountForm } from "./select_account.tsx";
import { UserIdentity } from "./user_identity.tsx";

/** The props of the page on which a user allows or denies a request. */
export interface ConsentProps extends FrameProps, AccessListProps, AboutClientProps {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
  /** The name of the client. */
  clientName: string;
  /** The user who is signed in, and the form that changes it. */
  account: AccountForm;
  /** Where the browser goes next. Absent for a device. */
  redirectUri?: string | undefined;
}

/** The default page `consent`. */
export function Consent(props: ConsentProps): VNode {
  const { language, clientName, redirectUri } = props;
  const words = language.words.consent;
  return (
    <Frame {...props} title={words.title} width="narrow" guard>
      <section class="card">
        <h1>{words.question}</h1>
        <ClientName name={clientName} />
        <p class="lead">{words.wantsAccess}</p>
        <CurrentAccount {...props} />
        <Warning {...props} />
        {!redirectUri && <p class="caution" id="device-warning">{words.fromDevice}</p>}
        <AccessList {...props} />
        <Footnotes {...props} />
        <ConsentForm {...props} />
      </section>
    </Frame>
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

function Footnotes({ base, language, links, redirectUri }: ConsentProps): VNode {
  const { consent, common } = language.words;
  const page = <a href={`${base}/account#connected-apps`}>{common.connectedApps}</a>;
  return (
    <div class="footnotes">
      <p class="fine">
        <Phrase text={consent.takeBack} parts={{ page }} />
      </p>
      {redirectUri && (
        <p class="fine">
          <Phrase
            text={consent.redirect}
            parts={{ address: <code dir="ltr">{redirectUri}</code> }}
          />
        </p>
      )}
      <Links links={links} language={language} />
    </div>
  );
}

/** The form stays in view, however long the list of scopes is. */
function ConsentForm({ language, action, formToken }: ConsentProps): VNode {
  const words = language.words.consent;
  return (
    <form id="consent" class="choices sticky" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      <button id="allow" type="submit" name="decision" value="allow" data-guarded>
        {words.allow}
      </button>
      <button id="deny" type="submit" class="secondary" name="decision" value="deny">
        {words.deny}
      </button>
    </form>
  );
}

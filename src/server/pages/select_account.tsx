/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps, type GuardedForm } from "./frame.tsx";
import { Phrase } from "./languages/phrases.tsx";
import {
  ClientName,
  type ClientWarningProps,
  type DescribedUser,
  displayName,
  UserIdentity,
  Warning,
} from "./parties.tsx";

/** The props of the page on which a user chooses an account. */
export interface SelectAccountProps extends FrameProps, ClientWarningProps {
  /** The name of the client. */
  clientName: string;
  /** The user who is signed in, and the form that changes it. */
  account: AccountForm;
}

/** The user who is signed in, and the form to continue as this user or another one. */
export interface AccountForm extends GuardedForm {
  /** The user. */
  user: DescribedUser;
}

/** The default page `selectAccount`. */
export function SelectAccount(props: SelectAccountProps): VNode {
  const { language, clientName, account } = props;
  const { selectAccount, common } = language.words;
  return (
    <Frame {...props} title={selectAccount.title} width="narrow">
      <section class="card">
        <h1>{selectAccount.title}</h1>
        <p class="lead">{common.toContinueTo}</p>
        <ClientName name={clientName} />
        <Warning {...props} />
        <div class="account">
          <UserIdentity user={account.user} />
        </div>
        <AccountChoices {...props} />
      </section>
    </Frame>
  );
}

function AccountChoices({ language, account }: SelectAccountProps): VNode {
  const { selectAccount, common } = language.words;
  const name = <bdi>{displayName(account.user)}</bdi>;
  return (
    <form id="select-account" class="choices stacked" method="post" action={account.action}>
      <input type="hidden" name="form_token" value={account.formToken} />
      <button id="this-account" type="submit" name="account" value="this">
        <Phrase text={selectAccount.continueAs} parts={{ name }} />
      </button>
      <button id="other-account" type="submit" class="secondary" name="account" value="other">
        {common.anotherAccount}
      </button>
      <button id="cancel" type="submit" class="secondary" name="decision" value="cancel">
        {common.cancel}
      </button>
    </form>
  );
}

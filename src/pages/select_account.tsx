/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Warning } from "./about_client.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page on which a user chooses an account. */
export interface SelectAccountProps extends FrameProps, ClientWarningProps {
  /** The name of the client. */
  clientName: string;
  /** The user who is signed in, and the form that changes it. */
  account: AccountForm;
}

/** The user who is signed in, and the form to continue as this user or another one. */
export interface AccountForm {
  /** The name of the user. */
  userName: string;
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
}

/** The default page `selectAccount`. */
export function SelectAccount(props: SelectAccountProps): VNode {
  const { clientName, account } = props;
  return (
    <Frame {...props} title="Choose an account" width="narrow">
      <section class="card">
        <h1>Choose an account</h1>
        <p class="lead">
          to continue to <strong>{clientName}</strong>
        </p>
        <Warning {...props} />
        <form id="select-account" class="choices" method="post" action={account.action}>
          <input type="hidden" name="form_token" value={account.formToken} />
          <button id="this-account" type="submit" name="account" value="this">
            Continue as {account.userName}
          </button>
          <button id="other-account" type="submit" class="secondary" name="account" value="other">
            Use another account
          </button>
          <button id="cancel" type="submit" class="secondary" name="decision" value="cancel">
            Cancel
          </button>
        </form>
      </section>
    </Frame>
  );
}

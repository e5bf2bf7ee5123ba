/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FormParameters } from "../protocol/form_parameters.ts";
import { type Content, Frame, type FrameProps, type GuardedForm } from "./frame.tsx";
import { ClientName, type ClientWarningProps, Warning } from "./parties.tsx";

/** The props of the page on which a user signs in. */
export interface SignInProps extends FrameProps, ClientWarningProps, GuardedForm {
  /** The name of the client. */
  clientName: string;
  /** The user name, if it is known or was entered before. */
  username: string;
  /** Whether users may type their e-mail address instead. */
  byEmail?: boolean;
  /** Whether the last attempt failed. */
  failed: boolean;
  /** The form of that attempt. */
  sent?: FormParameters | undefined;
  /** Whether an application waits, which can be told that the user canceled. */
  canCancel?: boolean;
  /** Whether the browser offers passkeys where it offers user names. */
  hasPasskeys?: boolean;
  /** Other ways to sign in, above the form. */
  children?: Content;
}

/** The default page `signIn`. */
export function SignIn(props: SignInProps): VNode {
  const { language, clientName, failed, children } = props;
  const { signIn, common } = language.words;
  return (
    <Frame {...props} title={common.signIn} width="narrow">
      <section class="card">
        <h1>{common.signIn}</h1>
        <p class="lead">{common.toContinueTo}</p>
        <ClientName name={clientName} />
        <Warning {...props} />
        {/* A browser of tests fills in the first form: that is the one which every server has. */}
        <div class="ways">
          <div>
            {failed && <p class="alert" id="sign-in-failed" role="alert">{signIn.failed}</p>}
            <PasswordForm {...props} />
          </div>
          {children && <p class="or">{signIn.orPassword}</p>}
          {children}
        </div>
      </section>
    </Frame>
  );
}

function PasswordForm(props: SignInProps): VNode {
  const { language, action, formToken, username, byEmail, failed, canCancel, children } = props;
  const { hasPasskeys = false } = props;
  const { signIn, common } = language.words;
  const describedBy = failed ? "sign-in-failed" : undefined;
  // With other ways to sign in, a keyboard on a small screen would hide them.
  const focuses = !children;
  return (
    <form id="sign-in" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      <label for="username">{byEmail ? signIn.usernameOrEmail : signIn.username}</label>
      <input
        id="username"
        name="username"
        value={username}
        dir="auto"
        autocomplete={hasPasskeys ? "username webauthn" : "username"}
        autocapitalize="none"
        spellcheck={false}
        required
        autofocus={focuses && username === ""}
        aria-describedby={describedBy}
      />
      <label for="password">{signIn.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        dir="auto"
        autocomplete="current-password"
        required
        autofocus={focuses && username !== ""}
        aria-describedby={describedBy}
      />
      <button id="sign-in-button" type="submit">{common.signIn}</button>
      {canCancel && (
        <button
          id="cancel"
          type="submit"
          class="secondary"
          name="decision"
          value="cancel"
          formnovalidate
        >
          {common.cancel}
        </button>
      )}
    </form>
  );
}

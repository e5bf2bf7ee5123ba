/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Warning } from "./about_client.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page on which a user confirms a sign-out. */
export interface SignOutProps extends FrameProps, ClientWarningProps {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
  /** The name of the user who is signed in. */
  userName: string;
  /** The application that sent the user here, if known. */
  clientName?: string | undefined;
  /** Where the browser goes next, without its query. */
  returnTo?: string | undefined;
  /** In a lab: why the `post_logout_redirect_uri` cannot be used. */
  hint?: string | undefined;
}

/** The default page `signOut`. */
export function SignOut(props: SignOutProps): VNode {
  const { base, action, formToken, userName, clientName, returnTo, hint } = props;
  return (
    <Frame {...props} title="Sign out" width="narrow">
      <section class="card">
        <h1>Sign out?</h1>
        <p class="lead">
          {clientName && (
            <>
              You come from <strong>{clientName}</strong>.{" "}
            </>
          )}
          You are signed in as{" "}
          <strong>{userName}</strong>. Signing out ends the access of applications, except those
          that you allowed to continue while you're away.
        </p>
        <Warning {...props} />
        <form id="confirm-sign-out" class="choices" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          <button id="sign-out-button" type="submit">Sign out</button>
          <a id="stay" class="button secondary" href={`${base}/`}>Stay signed in</a>
        </form>
        {returnTo && (
          <p class="fine">
            After that, you'll be redirected to <code>{returnTo}</code>.
          </p>
        )}
        {hint && <p id="hint" class="fine">{hint}</p>}
      </section>
    </Frame>
  );
}

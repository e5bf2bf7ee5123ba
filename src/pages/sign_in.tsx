/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type ClientWarningProps, Warning } from "./about_client.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import type { Content } from "./page.ts";

/** The props of the page on which a user signs in. */
export interface SignInProps extends FrameProps, ClientWarningProps {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
  /** The name of the client. */
  clientName: string;
  /** The user name, if it is known or was entered before. */
  username: string;
  /** Whether the last attempt failed. */
  failed: boolean;
  /** Whether an application waits, which can be told that the user canceled. */
  canCancel?: boolean;
  /** Other ways to sign in. */
  children?: Content;
}

/** The default page `signIn`. */
export function SignIn(props: SignInProps): VNode {
  const { action, formToken, clientName, username, failed, canCancel, children } = props;
  return (
    <Frame {...props} title="Sign in" width="narrow">
      <section class="card">
        <h1>Sign in</h1>
        <p class="lead">
          to continue to <strong>{clientName}</strong>
        </p>
        <Warning {...props} />
        {failed && (
          <p class="alert" id="sign-in-failed" role="alert">
            This user name and password do not match. Please try again.
          </p>
        )}
        <form id="sign-in" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          <label for="username">User name</label>
          <input
            id="username"
            name="username"
            value={username}
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
            autofocus={username === ""}
          />
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={username !== ""}
          />
          <button id="sign-in-button" type="submit">Sign in</button>
          {canCancel && (
            <button
              id="cancel"
              type="submit"
              class="secondary"
              name="decision"
              value="cancel"
              formnovalidate
            >
              Cancel
            </button>
          )}
        </form>
      </section>
      {children}
    </Frame>
  );
}

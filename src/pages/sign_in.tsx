/** @jsxImportSource preact */
import type { FrameProps } from "./frame.tsx";
import { Frame } from "./frame.tsx";

export interface SignInProps extends FrameProps {
  /** The path below which the forms of this request are taken. */
  action: string;
  formToken: string;
  clientName: string;
  /** What is already known, or was typed before. */
  username: string;
  /** Whether the last try did not convince. */
  failed: boolean;
  /** People who may sign in with one click, where the server lets them. */
  oneClick?: Array<{ name: string; label: string }>;
}

export function SignIn(props: SignInProps) {
  const { action, formToken, clientName, username, failed, oneClick } = props;
  return (
    <Frame {...props} title="Sign in" width="narrow">
      <section class="card">
        <h1>Sign in</h1>
        <p class="lead">
          to continue to <strong>{clientName}</strong>
        </p>
        {failed && <p class="alert" id="sign-in-failed" role="alert">This user name and password do not match. Please try again.</p>}
        <form id="sign-in" method="post" action={`${action}/sign-in`}>
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
          <input id="password" name="password" type="password" autocomplete="current-password" required autofocus={username !== ""} />
          <button id="sign-in-button" type="submit">Sign in</button>
        </form>
      </section>
      {oneClick && oneClick.length > 0 && (
        <section class="card quiet">
          <h2>Or sign in with one click</h2>
          <form id="one-click" class="choices" method="post" action={`${action}/sign-in`}>
            <input type="hidden" name="form_token" value={formToken} />
            {oneClick.map(({ name, label }) => (
              <button type="submit" class="secondary" id={`one-click-${name}`} name="one_click" value={name}>
                {label}
              </button>
            ))}
          </form>
        </section>
      )}
    </Frame>
  );
}

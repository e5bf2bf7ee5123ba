/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps } from "./frame.tsx";

/** The props of the page on which a user enters the code of a device (RFC 8628). */
export interface DeviceProps extends FrameProps {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
  /** The code that came in the link, if one did. */
  userCode?: string | undefined;
  /** Whether the code that was entered is unknown. */
  failed: boolean;
}

/** The default page `device`. */
export function Device(props: DeviceProps): VNode {
  const { action, formToken, userCode, failed } = props;
  return (
    <Frame {...props} title="Connect a device" width="narrow">
      <section class="card">
        <h1>Connect a device</h1>
        <p class="lead">
          {userCode ? "Does your device show this code?" : "Enter the code that your device shows."}
        </p>
        <p class="caution">
          Continue only if you have the device in front of you. Anyone who sends you a code, or a
          link that contains one, may be trying to take over your account.
        </p>
        {failed && (
          <p class="alert" id="device-failed" role="alert">
            This code is unknown or has expired. Please try again.
          </p>
        )}
        <form id="device" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          <label for="user_code">Code</label>
          <input
            id="user_code"
            name="user_code"
            value={userCode}
            placeholder="XXXX-XXXX"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            required
            autofocus={!userCode}
          />
          <button id="device-button" type="submit">
            {userCode ? "Yes, continue" : "Continue"}
          </button>
        </form>
      </section>
    </Frame>
  );
}

/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type AboutClientProps, Links, Warning } from "./about_client.tsx";
import { AccessList, type AccessListProps } from "./access_list.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import type { AccountForm } from "./select_account.tsx";

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
  const { action, formToken, clientName, account, redirectUri, links } = props;
  return (
    <Frame {...props} title="Allow access" width="narrow">
      <section class="card">
        <h1>Allow access?</h1>
        <p class="lead">
          <strong>{clientName}</strong> asks for this access on behalf of{" "}
          <strong>{account.userName}</strong>:
        </p>
        <Warning {...props} />
        <AccessList {...props} />
        {!redirectUri && (
          <p class="caution" id="device-warning">
            This request comes from a device that showed you a code. Allow it only if you have the
            device in front of you and started this yourself.
          </p>
        )}
        <form id="consent" class="choices" method="post" action={action}>
          <input type="hidden" name="form_token" value={formToken} />
          <button id="allow" type="submit" name="decision" value="allow">Allow</button>
          <button id="deny" type="submit" class="secondary" name="decision" value="deny">
            Deny
          </button>
        </form>
        <Links links={links} />
        {redirectUri && (
          <p class="fine">
            You'll be redirected to <code>{redirectUri}</code>.
          </p>
        )}
      </section>
      <form id="change-account" class="aside" method="post" action={account.action}>
        <input type="hidden" name="form_token" value={account.formToken} />
        Not {account.userName}?{" "}
        <button class="link" type="submit" name="account" value="other">Use another account</button>
      </form>
    </Frame>
  );
}

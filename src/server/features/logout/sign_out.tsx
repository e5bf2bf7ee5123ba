/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps, type GuardedForm } from "../../pages/frame.tsx";
import { Phrase } from "../../pages/languages/phrases.tsx";
import {
  ClientName,
  type ClientWarningProps,
  type DescribedUser,
  UserIdentity,
  Warning,
} from "../../pages/parties.tsx";
import type { LogoutWords } from "./languages/en.ts";

/** The props of the page on which a user confirms a sign-out. */
export interface SignOutProps extends FrameProps<LogoutWords>, ClientWarningProps, GuardedForm {
  /** The user who is signed in. */
  user: DescribedUser;
  /** The application that sent the user here, if known. */
  clientName?: string | undefined;
  /** Where the browser goes next, without its query. */
  returnTo?: string | undefined;
  /** For developers: why the `post_logout_redirect_uri` cannot be used. */
  hint?: string | undefined;
}

/** The default page `signOut`. */
export function SignOut(props: SignOutProps): VNode {
  const { language, user, clientName, returnTo, hint } = props;
  const { signOut, common } = language.words;
  const address = <code dir="ltr">{returnTo}</code>;
  return (
    <Frame {...props} title={signOut.title} width="narrow">
      <section class="card">
        <h1>{signOut.question}</h1>
        {clientName && (
          <>
            <p class="lead">{signOut.comesFrom}</p>
            <ClientName name={clientName} />
          </>
        )}
        <Warning {...props} />
        <p class="lead">{common.signedInAs}</p>
        <div class="account">
          <UserIdentity user={user} />
        </div>
        <p>{common.signOutEffect}</p>
        <ConfirmationForm {...props} />
        {returnTo && (
          <p class="fine">
            <Phrase text={signOut.redirect} parts={{ address }} />
          </p>
        )}
        {hint && <p id="hint" class="fine" lang="en" dir="ltr">{hint}</p>}
      </section>
    </Frame>
  );
}

function ConfirmationForm({ base, language, action, formToken }: SignOutProps): VNode {
  const { signOut, common } = language.words;
  return (
    <form id="confirm-sign-out" class="choices" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      <button id="sign-out-button" type="submit">{common.signOut}</button>
      <a id="stay" class="button secondary" href={`${base}/`}>{signOut.stay}</a>
    </form>
  );
}

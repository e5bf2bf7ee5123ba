/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps, type GuardedForm } from "../../pages/frame.tsx";
import { formatNumber, Phrase } from "../../pages/languages/phrases.tsx";
import type { AccountPageWords, PasswordProblem } from "./languages/en.ts";

/** The props of the page on which a user changes the password. */
export interface ChangePasswordProps extends FrameProps<AccountPageWords>, GuardedForm {
  /** The user name, for password managers. */
  username: string;
  /** The smallest number of characters of a password. */
  minLength: number;
  /** Why the last attempt failed. */
  problem?: PasswordProblem | undefined;
}

/** The default page `changePassword`. */
export function ChangePassword(props: ChangePasswordProps): VNode {
  const { base, language, problem } = props;
  const { account, changePassword, common } = language.words;
  return (
    <Frame {...props} title={account.changePassword} width="narrow">
      <section class="card">
        <h1>{account.changePassword}</h1>
        <p class="lead">{changePassword.effect}</p>
        {problem && (
          <p class="alert" id="password-problem" role="alert">
            {changePassword.problems[problem]}
          </p>
        )}
        <PasswordForm {...props} />
        <p>
          <a id="back" href={`${base}/account`}>{common.cancel}</a>
        </p>
      </section>
    </Frame>
  );
}

function PasswordForm(props: ChangePasswordProps): VNode {
  const { language, action, formToken, username, problem } = props;
  const { account, changePassword: words } = language.words;
  const isNewWrong = problem !== undefined && problem !== "wrong";
  return (
    <form id="change-password" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      {/* Tells a password manager whose password this is. */}
      <input name="username" value={username} autocomplete="username" readonly hidden />
      <PasswordField
        name="current_password"
        label={words.current}
        autocomplete="current-password"
        autofocus={!isNewWrong}
        describedBy={problem === "wrong" ? "password-problem" : undefined}
      />
      <NewPasswordFields {...props} autofocus={isNewWrong} isWrong={isNewWrong} />
      <button id="change-password-button" type="submit">{account.changePassword}</button>
    </form>
  );
}

/** A new password, its rule, and the same again. */
export function NewPasswordFields(
  { language, minLength, autofocus, isWrong }:
    & Pick<ChangePasswordProps, "language" | "minLength">
    & { autofocus: boolean; isWrong: boolean },
): VNode {
  const { changePassword: words } = language.words;
  return (
    <>
      <PasswordField
        name="new_password"
        label={words.next}
        autocomplete="new-password"
        autofocus={autofocus}
        describedBy={isWrong ? "password-problem password-rule" : "password-rule"}
      />
      <p class="fine" id="password-rule">
        <Phrase text={words.rule} parts={{ count: formatNumber(language, minLength) }} />
      </p>
      <PasswordField
        name="repeated_password"
        label={words.repeat}
        autocomplete="new-password"
        autofocus={false}
      />
    </>
  );
}

function PasswordField(
  { name, label, autocomplete, autofocus, describedBy }: {
    name: "current_password" | "new_password" | "repeated_password";
    label: string;
    autocomplete: "current-password" | "new-password";
    autofocus: boolean;
    describedBy?: string | undefined;
  },
): VNode {
  return (
    <>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="password"
        dir="auto"
        autocomplete={autocomplete}
        required
        autofocus={autofocus}
        aria-describedby={describedBy}
      />
    </>
  );
}

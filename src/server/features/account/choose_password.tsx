/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps, type GuardedForm } from "../../pages/frame.tsx";
import { Phrase } from "../../pages/languages/phrases.tsx";
import { NewPasswordFields } from "./change_password.tsx";
import type { AccountPageWords, PasswordProblem } from "./languages/en.ts";

/** The props of the page on which a user chooses a password, by a link of an administrator. */
export interface ChoosePasswordProps extends FrameProps<AccountPageWords>, GuardedForm {
  /** Whether the user is new, or replaces a forgotten password. */
  kind: "invite" | "reset";
  /** The user name. */
  username: string;
  /** The smallest number of characters of a password. */
  minLength: number;
  /** Why the last attempt failed. */
  problem?: PasswordProblem | undefined;
  /**
   * Whether the page has the form, or says that the password was saved, or that the link is void.
   */
  state: "form" | "done" | "void";
}

/** The default page `choosePassword`. */
export function ChoosePassword(props: ChoosePasswordProps): VNode {
  const { base, language, kind, state, username, problem } = props;
  const { changePassword, choosePassword: words, common } = language.words;
  const titles = { form: words.title, done: words.done, void: words.void };
  const texts = { form: words[kind], done: words.next, void: words.ask };
  const parts = { user: <strong dir="auto">{username}</strong> };
  return (
    <Frame {...props} title={titles[state]} width="narrow">
      <section class="card">
        <h1>{titles[state]}</h1>
        <p class="lead">
          <Phrase text={texts[state]} parts={parts} />
        </p>
        {problem && (
          <p class="alert" id="password-problem" role="alert">
            {changePassword.problems[problem]}
          </p>
        )}
        {state === "form" && <NewPasswordForm {...props} />}
        {state === "done" && <a id="sign-in" href={`${base}/account`}>{common.signIn}</a>}
      </section>
    </Frame>
  );
}

function NewPasswordForm(props: ChoosePasswordProps): VNode {
  const { language: { words }, action, formToken, username, problem } = props;
  return (
    <form id="choose-password" method="post" action={action}>
      <input type="hidden" name="form_token" value={formToken} />
      {/* Tells a password manager whose password this is. */}
      <input name="username" value={username} autocomplete="username" readonly hidden />
      <NewPasswordFields {...props} autofocus isWrong={problem !== undefined} />
      <button id="choose-password-button" type="submit">{words.choosePassword.save}</button>
    </form>
  );
}

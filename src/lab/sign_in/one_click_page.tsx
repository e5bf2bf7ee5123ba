/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UserConfig } from "../../server/config/user_config.ts";
import { SignIn, type SignInProps } from "../../server/pages/sign_in.tsx";
import { showValue } from "../util/show_value.ts";

/** With more users, their names are side by side. */
const maxStacked = 5;

interface OneClickProps extends SignInProps {
  users: readonly UserConfig[];
}

/** The sign-in page with a button for each user. */
export function OneClickSignIn({ users, ...props }: OneClickProps): VNode {
  // Many names, one below the other, would push the password out of view.
  const layout = users.length <= maxStacked ? "choices stacked" : "choices";
  return (
    <SignIn {...props}>
      <section class="one-click">
        <h2>{props.language.words.signIn.oneClick}</h2>
        <form id="one-click" class={layout} method="post" action={props.action}>
          <input type="hidden" name="form_token" value={props.formToken} />
          {users.map(({ name, claims }) => (
            <button
              type="submit"
              class="secondary"
              id={`one-click-${name}`}
              name="one_click"
              value={name}
            >
              <bdi>{showValue(claims?.name ?? name)}</bdi>
            </button>
          ))}
        </form>
      </section>
    </SignIn>
  );
}

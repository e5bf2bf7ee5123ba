/** @jsxImportSource preact */
import type { UserConfig } from "../config/config.ts";
import type { Authenticate } from "../config/policies.ts";
import type { SignInProps } from "../pages/sign_in.tsx";
import { SignIn } from "../pages/sign_in.tsx";

/** Signs in whomever one clicks on; the password works as well. */
export const oneClickOrPassword: Authenticate = (form, known) => {
  const name = form.get("one_click");
  return name === undefined ? known.checkPassword(form) : known.find(name);
};

/** The sign-in page with a button for each user. */
export function oneClickSignIn(users: readonly UserConfig[]) {
  return (props: SignInProps) => (
    <SignIn {...props}>
      <section class="card quiet">
        <h2>Or sign in with one click</h2>
        <form id="one-click" class="choices" method="post" action={props.action}>
          <input type="hidden" name="form_token" value={props.formToken} />
          {users.map(({ name, claims }) => (
            <button type="submit" class="secondary" id={`one-click-${name}`} name="one_click" value={name}>
              {String(claims?.name ?? name)}
            </button>
          ))}
        </form>
      </section>
    </SignIn>
  );
}

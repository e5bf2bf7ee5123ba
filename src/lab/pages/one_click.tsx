/** @jsxImportSource preact */
import type { Authenticate } from "../../config/policies.ts";
import type { UserConfig } from "../../config/user_config.ts";
import { SignIn, type SignInProps } from "../../pages/sign_in.tsx";

/** What a lab says of a sign-in, the weakest first. */
export const labAcrValues = ["urn:hallpass:password", "urn:hallpass:two-factor"];

/** Signs in whomever one clicks on; the password works as well. Either is as strong as the client asks for, so that a step up can be tried. */
export const oneClickOrPassword: Authenticate = async (
  form,
  known,
  { acrValues: [acr = labAcrValues[0]] },
) => {
  const name = form.get("one_click");
  const user = name === undefined ? await known.checkPassword(form) : await known.find(name);
  return { user, acr, amr: acr === labAcrValues[1] ? ["pwd", "mfa"] : ["pwd"] };
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
            <button
              type="submit"
              class="secondary"
              id={`one-click-${name}`}
              name="one_click"
              value={name}
            >
              {String(claims?.name ?? name)}
            </button>
          ))}
        </form>
      </section>
    </SignIn>
  );
}

/** @jsxImportSource preact */
import type { Authenticate } from "../../server/config/policies.ts";
import type { UserConfig } from "../../server/config/user_config.ts";
import type { Pages } from "../../server/pages/pages.ts";
import { SignIn, type SignInProps } from "../../server/pages/sign_in.tsx";
import { showValue } from "../../server/util/text/show_value.ts";

/** With more users, their names are side by side. */
const maxStacked = 5;

const passwordAcr = "urn:hallpass:password";
/** The `acr` of a sign-in with a second factor. */
export const twoFactorAcr = "urn:hallpass:two-factor";

/** The `acr` values of a lab, the weakest first. */
export const labAcrValues: readonly string[] = [passwordAcr, twoFactorAcr];

/**
 * Signs in the user whose button was clicked, or the one with the password. Both are as strong as
 * the client asks for, so that a step-up can be tried.
 */
export const oneClickOrPassword: Authenticate = async (form, users, { acrValues }) => {
  const name = form.get("one_click");
  const user = name === undefined ? await users.checkPassword(form) : await users.find(name);
  const [acr = passwordAcr] = acrValues;
  return user && { user, acr, amr: acr === twoFactorAcr ? ["pwd", "mfa"] : ["pwd"] };
};

/** Returns the sign-in page with a button for each user. */
export function oneClickSignIn(users: readonly UserConfig[]): Pages["signIn"] {
  // Many names, one below the other, would push the password out of view.
  const layout = users.length <= maxStacked ? "choices stacked" : "choices";
  return (props: SignInProps) => (
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

/** @jsxImportSource preact */
import type { UserConfig } from "../issuer/config.ts";
import type { Authenticate } from "../issuer/policies.ts";
import type { SignInProps } from "../pages/sign_in.tsx";
import { SignIn } from "../pages/sign_in.tsx";

/** Signs in whomever one clicks on; the password works as well. */
export const oneClickOrPassword: Authenticate = (form, known) => {
  const name = form.get("one_click");
  return name === undefined ? known.checkPassword(form) : known.find(name);
};

/** The sign-in page with a button for each user. */
export function oneClickSignIn(users: readonly UserConfig[]) {
  const oneClick = users.map(({ name, claims }) => ({ name, label: String(claims?.name ?? name) }));
  return (props: SignInProps) => <SignIn {...props} oneClick={oneClick} />;
}

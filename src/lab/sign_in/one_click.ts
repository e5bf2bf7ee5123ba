import type { Authenticate } from "../../server/config/policies.ts";
import type { UserConfig } from "../../server/config/user_config.ts";
import type { Pages } from "../../server/features.ts";

const passwordAcr = "urn:hallpass:password";
const twoFactorAcr = "urn:hallpass:two-factor";

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
  return user && { user, acr, amr: amrOf(acr) };
};

/** Returns the authentication methods (RFC 8176) of a sign-in as strong as an `acr` value says. */
export function amrOf(acr: string | undefined): string[] {
  return acr === twoFactorAcr ? ["pwd", "mfa"] : ["pwd"];
}

/** Returns the sign-in page with a button for each user. */
export function oneClickSignIn(users: () => readonly UserConfig[]): Pages["signIn"] {
  return async (props) => {
    const { OneClickSignIn } = await import("./one_click_page.tsx");
    return OneClickSignIn({ ...props, users: users() });
  };
}

import type { Authenticate } from "../../server/config/policies.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { Pages } from "../../server/features.ts";
import type { ReadChosenSignIn } from "../../server/issuer/requests/user_answer.ts";
import { errorFactory } from "../../server/protocol/oauth_error.ts";
import { LabError } from "../util/lab_error.ts";
import { readSignInDetails, toChosenSignIn } from "../util/sign_in_details.ts";
import type { UnknownUsers } from "./unknown_users.ts";

const invalidRequest = errorFactory("invalid_request");

const passwordAcr = "urn:hallpass:password";
const twoFactorAcr = "urn:hallpass:two-factor";

/** The `acr` values of a lab, the weakest first. */
export const labAcrValues: readonly string[] = [passwordAcr, twoFactorAcr];

/**
 * Signs in the user whose button was clicked, or the one with the password. Both are as strong as
 * the client asks for, so that a step-up can be tried.
 */
export function oneClickOrPassword(unknownUsers?: UnknownUsers): Authenticate {
  return async (form, users, { acrValues }) => {
    const name = form.get("one_click");
    if (name !== undefined) await unknownUsers?.admit(name, form).catch(rejectForm);
    const user = name === undefined ? await users.checkPassword(form) : await users.find(name);
    const [acr = passwordAcr] = acrValues;
    return user && { user, acr, amr: amrOf(acr) };
  };
}

/** Returns the authentication methods (RFC 8176) of a sign-in as strong as an `acr` value says. */
export function amrOf(acr: string | undefined): string[] {
  return acr === twoFactorAcr ? ["pwd", "mfa"] : ["pwd"];
}

/** Reads what the form of the sign-in page chose. */
export const readChosenSignIn: ReadChosenSignIn = (form, known) => {
  const valueOf = (name: string) => form.get(name)?.trim() || undefined;
  const [acr, amr, authTime] = ["acr", "amr", "auth_time"].map(valueOf);
  try {
    const read = readSignInDetails({ acr, amr: amr?.split(/\s+/), authTime }, known);
    const { amr: methods = acr && amrOf(acr), ...others } = toChosenSignIn(read);
    return { ...others, ...methods && { amr: methods } };
  } catch (cause) {
    return rejectForm(cause);
  }
};

function rejectForm(cause: unknown): never {
  throw cause instanceof LabError ? invalidRequest(cause.message) : cause;
}

/** Returns the sign-in page with a button for each user. */
export function oneClickSignIn(
  settings: () => Settings,
  unknownUsers?: UnknownUsers,
): Pages["signIn"] {
  return async (props) => {
    const { OneClickSignIn } = await import("./one_click_page.tsx");
    const { parties, acrValues } = settings();
    const unknownFields = await unknownUsers?.fields();
    return OneClickSignIn({ ...props, users: parties.users.list(), acrValues, unknownFields });
  };
}

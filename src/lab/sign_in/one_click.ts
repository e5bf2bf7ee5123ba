import { type Passwords, pbkdf2Passwords } from "../../server/config/passwords.ts";
import type { Authenticate, SignInResult } from "../../server/config/policies.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { Pages } from "../../server/features.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ChosenSignIn } from "../../server/issuer/server_hooks.ts";
import type { ProvenFactor } from "../../server/issuer/users/sign_in_factor.ts";
import type { FormParameters } from "../../server/protocol/form_parameters.ts";
import { OAuthError } from "../../server/protocol/oauth_error.ts";
import { equalInConstantTime, sha256 } from "../../server/util/crypto/hash.ts";
import { LabError } from "../util/lab_error.ts";
import { readSignInDetails, toChosenSignIn } from "../util/user_choices.ts";
import type { UnknownUsers } from "./unknown_users.ts";

const passwordAcr = "urn:hallpass:password";
const twoFactorAcr = "urn:hallpass:two-factor";

/** The `acr` values of a lab, the weakest first. */
export const labAcrValues: readonly string[] = [passwordAcr, twoFactorAcr];

/**
 * Hashes passwords with a plain SHA-256, because a page of the lab shows them anyway and a test
 * must not pay 200 ms for each sign-in. Other hashes, such as those of `hallpass user add`, work as
 * well.
 */
export const publicPasswords: Passwords = {
  hash: async (password) => `sha256$${await sha256(password)}`,
  verify: async (password, hash) =>
    pbkdf2Passwords.isHash(hash)
      ? pbkdf2Passwords.verify(password, hash)
      : equalInConstantTime(hash, `sha256$${await sha256(password)}`),
  isHash: (text) => /^sha256\$[\w-]{43}$/.test(text) || pbkdf2Passwords.isHash(text),
};

/**
 * Signs in the user whose button was clicked, or the one with the password. Both are as strong as
 * the client asks for, so that a step-up can be tried.
 */
export function oneClickOrPassword(unknownUsers?: UnknownUsers): Authenticate {
  return async (form, users, { acrValues }) => {
    const name = form.get("one_click");
    if (await admissionProblem(form, unknownUsers)) return undefined;
    const user = name === undefined ? await users.checkPassword(form) : await users.find(name);
    const [acr = passwordAcr] = acrValues;
    return user && { user, acr, amr: amrOf(acr) };
  };
}

/** Makes the user of a form known, or returns why there cannot be such a user. */
async function admissionProblem(
  form: FormParameters,
  unknownUsers: UnknownUsers | undefined,
): Promise<LabError | undefined> {
  const name = form.get("one_click");
  if (name === undefined) return undefined;
  try {
    await unknownUsers?.admit(name, form);
    return undefined;
  } catch (cause) {
    if (cause instanceof LabError) return cause;
    throw cause;
  }
}

/** Returns the authentication methods (RFC 8176) of a sign-in as strong as an `acr` value says. */
export function amrOf(acr: string | undefined): string[] {
  return acr === twoFactorAcr ? ["pwd", "mfa"] : ["pwd"];
}

/** Lets the form of the sign-in page choose how the user signed in, whatever decides who does. */
export function withChosenDetails(
  authenticate: Authenticate,
  context: () => Pick<Context, "now" | "settings">,
): Authenticate {
  return async (form, users, demands) => {
    const result = await authenticate(form, users, demands);
    const known: SignInResult = result && "subject" in result ? { user: result } : result ?? {};
    if (!known.user) return undefined;
    const { now, settings: { acrValues } } = context();
    return { ...known, ...readChosenSignIn(form, { now, acrValues }) };
  };
}

/** Reads what the form of the sign-in page chose. */
function readChosenSignIn(
  form: FormParameters,
  known: { acrValues: readonly string[]; now: () => number },
): ChosenSignIn {
  const valueOf = (name: string) => form.get(name)?.trim() || undefined;
  const [acr, amr, authTime] = ["acr", "amr", "auth_time"].map(valueOf);
  try {
    const details = { acr, amr: amr?.split(/\s+/), authTime, ...chosenFactor(form) };
    const read = readSignInDetails(details, known);
    const { amr: methods = acr && amrOf(acr), ...others } = toChosenSignIn(read);
    return { ...others, ...methods && { amr: methods } };
  } catch (cause) {
    throw cause instanceof LabError ? new OAuthError("invalid_request", cause.message) : cause;
  }
}

/** Returns by what the form of the sign-in page signs in: a passkey needs no device here. */
export function chosenFactor(form: FormParameters): ProvenFactor {
  return form.get("factor")?.trim() === "passkey" ? { factor: "passkey" } : {};
}

export function oneClickSignIn(
  settings: () => Settings,
  unknownUsers?: UnknownUsers,
): Pages["signIn"] {
  return async (props) => {
    const { OneClickSignIn } = await import("./one_click_page.tsx");
    const { users, acrValues, passkeyDemand } = settings();
    const { sent } = props;
    const problem = sent && await admissionProblem(sent, unknownUsers);
    return OneClickSignIn({
      ...props,
      users: users.list(),
      acrValues,
      takesFactor: passkeyDemand !== undefined,
      problem,
      failed: props.failed && !problem,
      unknownFields: await unknownUsers?.fields(sent, problem),
    });
  };
}

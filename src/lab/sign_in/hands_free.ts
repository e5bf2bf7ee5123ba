import type { Context } from "../../server/issuer/context.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import {
  checkDecision,
  type ChosenDetails,
  readSignInDetails,
  type SignInDetails,
  type UnaskedDecision,
} from "../util/user_choices.ts";

/** How a user signs in without a page: how often, with which details, and with which decision. */
export interface SignInOptions extends UnaskedDecision, SignInDetails {
  /**
   * How many authorization requests sign the user in. After that, what was set before applies.
   *
   * @integer
   * @minimum 1
   * @default until it is changed
   */
  times?: number | undefined;
}

/** A user who signs in without a page. */
export interface UnaskedUser extends UnaskedDecision, ChosenDetails {
  user: string;
}

/** Who signs in without a page, as data. */
export interface HandsFreeState extends UnaskedDecision, ChosenDetails {
  /** The user; null if every user has to sign in. */
  user: string | null;
}

/** Who signs in without a page, and whether the consent page is skipped. */
export type HandsFree = ReturnType<typeof createHandsFree>;

export function createHandsFree(
  { signIn, settings, userNames, takesAnyUser, context }: {
    signIn?: string | undefined;
    settings(): { consent?: "ask" | "skip" | undefined; signInByHint?: boolean | undefined };
    userNames(): string[];
    /** Whether a request makes any other user known. */
    takesAnyUser: boolean;
    context(): Context;
  },
) {
  const configured = signIn === undefined ? undefined : { user: signIn };
  let usual: UnaskedUser | undefined = configured;
  let next: UnaskedUser | undefined;
  let remaining = 0;

  const nextUser = () => remaining > 0 ? next : usual;
  return {
    /** Returns whom the next authorization request signs in, if hands-free sign-in is on. */
    next: nextUser,
    skipsConsent: () => settings().consent === "skip",
    /** Whether a `login_hint` signs in its user. */
    signsInByHint: () => settings().signInByHint ?? false,
    /** Sets the user; `false` switches hands-free sign-in off. */
    set(user: string | false, { times, decision, grant, ...details }: SignInOptions = {}): void {
      const names = userNames();
      if (user !== false && !takesAnyUser && !names.includes(user)) {
        throw unknownName("user", user, names);
      }
      const { settings: { acrValues }, now } = context();
      const chosen = readSignInDetails(details, { acrValues, now });
      checkDecision(context(), { decision, grant });
      if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
        throw new LabError("The 'times' of a sign-in must be a whole number of at least 1.");
      }
      const unasked = user === false ? undefined : {
        user,
        ...chosen,
        ...decision !== undefined && { decision },
        ...grant !== undefined && { grant },
      };
      if (times === undefined) usual = unasked;
      next = unasked;
      remaining = times ?? 0;
    },
    /** Returns the user for an authorization request, which counts. */
    take(): UnaskedUser | undefined {
      const unasked = nextUser();
      if (remaining > 0) remaining--;
      return unasked;
    },
    /** Returns to the configured user. */
    clear(): void {
      usual = configured;
      remaining = 0;
    },
  };
}

/** Returns the sentences of the notice, on every page, that name what the user is not asked. */
export function handsFreeNotice(handsFree: HandsFree): string | undefined {
  const unasked = handsFree.next();
  if (unasked) {
    const { user, decision, grant } = unasked;
    return `Hands-free sign-in is on: every authorization request signs in ${user} at once, who ` +
      `${describeDecision({ decision, grant })}.`;
  }
  return handsFree.skipsConsent()
    ? "The consent page is skipped: everything is allowed."
    : undefined;
}

function describeDecision({ decision, grant }: UnaskedDecision): string {
  if (decision === "deny") return "denies it";
  return grant ? `consents to no more than: ${grant.join(" ")}` : "consents to all of it";
}

import { LabError, unknownName } from "../util/lab_error.ts";

/** For how long a user signs in without a page. */
export interface SignInOptions {
  /**
   * How many authorization requests sign the user in. After that, what was set before applies.
   *
   * @integer
   * @minimum 1
   * @default until it is changed
   */
  times?: number | undefined;
}

/** Who signs in without a page, as data. */
export interface HandsFreeState {
  /** The user; null if every user has to sign in. */
  user: string | null;
}

/** What no page asks for at the moment. */
export interface SkippedPages {
  /** The user who signs in without a page. */
  user: string | undefined;
  skipsConsent: boolean;
}

/** Who signs in without a page, and whether the consent page is skipped. */
export interface HandsFree {
  /** Returns the user whom the next authorization request signs in, if hands-free sign-in is on. */
  user(): string | undefined;
  readonly skipsConsent: boolean;
  /** Sets the user; `false` switches hands-free sign-in off. */
  set(user: string | false, options?: SignInOptions): void;
  /** Returns the user for an authorization request, which counts. */
  take(): string | undefined;
  /** Returns to the configured user. */
  clear(): void;
}

/** What hands-free sign-in depends on. */
export interface HandsFreeConfig {
  signIn?: string | undefined;
  consent?: "ask" | "skip" | undefined;
  /** The names of the users that exist. */
  userNames(): string[];
  /** Called when another user signs in from now on. */
  onChange(): void;
}

export function createHandsFree(
  { signIn, consent = "ask", userNames, onChange }: HandsFreeConfig,
): HandsFree {
  let usual = signIn;
  let next: string | undefined;
  let remaining = 0;

  const change = (changes: () => void) => {
    const before = handsFree.user();
    changes();
    if (handsFree.user() !== before) onChange();
  };

  const handsFree: HandsFree = {
    user: () => remaining > 0 ? next : usual,
    skipsConsent: consent === "skip",
    set(user, { times } = {}) {
      const names = userNames();
      if (user !== false && !names.includes(user)) throw unknownName("user", user, names);
      if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
        throw new LabError("The 'times' of a sign-in must be a whole number of at least 1.");
      }
      change(() => {
        if (times === undefined) usual = user || undefined;
        next = user || undefined;
        remaining = times ?? 0;
      });
    },
    take() {
      const user = handsFree.user();
      if (remaining > 0) change(() => void remaining--);
      return user;
    },
    clear() {
      change(() => {
        usual = signIn;
        remaining = 0;
      });
    },
  };
  return handsFree;
}

/** Returns the sentences of the notice, on every page, that name what the user is not asked. */
export function handsFreeNotice(
  { user, skipsConsent }: SkippedPages,
): string | undefined {
  if (user !== undefined) {
    return `Hands-free sign-in is on: every authorization request signs in ${user} at once, who ` +
      "consents to all of it.";
  }
  return skipsConsent ? "The consent page is skipped: everything is allowed." : undefined;
}

import type { Duration } from "../../server/util/time/duration.ts";
import { readSpan } from "../util/clock.ts";
import { LabError } from "../util/lab_error.ts";
import type { SignInDetails } from "../util/sign_in_details.ts";
import { shownPagesHeader } from "../util/user_decision.ts";

/** What a user does on the pages of a flow. */
export interface UserActions extends SignInDetails {
  /** The name of the user who signs in. */
  user?: string | undefined;
  /** The password to sign in with; without one, a click on the user signs in. */
  password?: string | undefined;
  /**
   * What the user decides on the consent page.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /**
   * The part of the scope that the user allows: the boxes that stay ticked on the consent page.
   * The client or a resource of the request needs `partialConsent`.
   *
   * @default all that is requested
   */
  grant?: readonly string[] | undefined;
  /**
   * How long the user looks at the first page before acting, on the clock of the lab: `"3m"`. The
   * result comes when a test has moved the clock that far, or so much time has passed.
   *
   * @default the user acts at once
   */
  after?: Duration | undefined;
}

/** Returns when the user acts, in milliseconds; undefined if it is at once. */
export function actionTime(now: number, { after }: UserActions): number | undefined {
  if (after === undefined) return undefined;
  const span = readSpan(after);
  if (span >= 0) return now + span;
  throw new LabError("The 'after' must not be negative: a user acts now or later.");
}

/** The header for the pages that the lab must not skip, because the user has actions for them. */
export type ShownPages = Record<string, string>;

export function shownPagesFor({ user, password, decision, grant, after }: UserActions): ShownPages {
  const decides = decision !== undefined || grant !== undefined;
  const acts = decides || [user, password, after].some((each) => each !== undefined);
  if (!acts) return {};
  return { [shownPagesHeader]: decides ? "sign-in, consent" : "sign-in" };
}

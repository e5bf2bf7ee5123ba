import type { User } from "../../model/user.ts";
import type { Consent, Session } from "../records/rows.ts";

/** The user who is signed in with a browser. */
export interface SignedInUser {
  session: Session;
  user: User;
  /** Whether the user signed in without a page, so that the browser has no cookie. */
  unasked?: true;
  /** The consents to the client of the request, if they were read together with the session. */
  consents?: readonly Consent[] | undefined;
}

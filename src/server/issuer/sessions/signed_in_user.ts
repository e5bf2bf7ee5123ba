import type { User } from "../../model/user.ts";
import type { Session } from "../records/rows.ts";

/** The user who is signed in with a browser. */
export interface SignedInUser {
  session: Session;
  user: User;
  /** Whether the user signed in without a page, so that the browser has no cookie. */
  unasked?: true;
}

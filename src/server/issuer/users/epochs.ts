import type { User } from "../../model/user.ts";

/** What began in an epoch of a user: a session, or an authorization that was given in one. */
interface EpochMember {
  userEpoch?: string | undefined;
  sid?: string | undefined;
}

/**
 * Whether something belongs to the current epoch of a user. What belongs to an earlier one has
 * ended, except in the session in which the user changed the password.
 */
export function isOfCurrentEpoch(
  { epoch, keptSession }: Pick<User, "epoch" | "keptSession">,
  { userEpoch, sid }: EpochMember,
): boolean {
  return userEpoch === epoch || (sid !== undefined && sid === keptSession);
}

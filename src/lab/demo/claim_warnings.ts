import { unopenedClaimWarnings } from "../../administration/unopened_claims.ts";
import type { Settings } from "../../server/config/settings.ts";
import { isDemoUser } from "./demo_users.ts";

/** Returns a warning for each claim of a configured user that no client can receive. */
export function labClaimWarnings(settings: Settings): string[] {
  const users = settings.users.list().filter((user) => !isDemoUser(user));
  return unopenedClaimWarnings(settings, [], users);
}

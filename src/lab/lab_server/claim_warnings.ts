import { unopenedClaimWarnings } from "../../administration/unopened_claims.ts";
import type { Settings } from "../../server/config/settings.ts";
import { isDemoUser } from "../demo/demo_users.ts";

/** Returns a warning for each claim of a configured user that no client can receive. */
export async function labClaimWarnings(settings: Settings): Promise<string[]> {
  const users = await Promise.all([...settings.users.values()].map((read) => read()));
  return unopenedClaimWarnings(settings, [], users.filter((user) => !isDemoUser(user)));
}

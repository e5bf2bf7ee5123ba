import type { Config } from "../../../server/features.ts";
import { isInteractiveGrant } from "../../../server/protocol/grant_types.ts";

/** Returns the names of the leniencies that clients without a token have when they register. */
export function registrationLeniencies({ registration }: Pick<Config, "registration">): string[] {
  return openServiceGrants(registration).map((type) => `registration.allow.grantTypes: ${type}`);
}

/** Returns the grants without a user that anyone can register for. */
function openServiceGrants(registration: Config["registration"]): string[] {
  if (registration === undefined || registration === "open") return [];
  if (registration.initialAccessToken !== undefined) return [];
  return (registration.allow?.grantTypes ?? []).filter((type) => !isInteractiveGrant(type));
}

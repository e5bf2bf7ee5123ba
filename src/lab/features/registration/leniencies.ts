import type { Config } from "../../../server/features.ts";
import { isInteractiveGrant } from "../../../server/protocol/grant_types.ts";
import type { LabLeniency } from "../../leniencies/leniency.ts";

/** What clients without a token may register for. */
export const serviceRegistration: LabLeniency = {
  names: ({ registration }) =>
    openServiceGrants(registration).map((type) => `registration.allow.grantTypes: ${type}`),
};

/** Returns the grants without a user that anyone can register for. */
function openServiceGrants(registration: Config["registration"]): string[] {
  if (registration === undefined || registration === "open") return [];
  if (registration.initialAccessToken !== undefined) return [];
  return (registration.allow?.grantTypes ?? []).filter((type) => !isInteractiveGrant(type));
}

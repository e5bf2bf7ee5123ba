import type { LabConfig } from "../lab_server/lab_config.ts";

/**
 * Returns the settings of a strict lab. A suite configures no clients, redirect URIs or scopes, so
 * these remain unknown, and accepted.
 */
export function restrictPowers(powers: LabConfig): LabConfig {
  return {
    ...powers,
    anyGrant: undefined,
    unknownClientPkce: "required",
    clientDefaults: { ...powers.clientDefaults, redirectUriAtToken: "required" },
  };
}

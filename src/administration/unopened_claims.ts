import type { Settings } from "../server/config/settings.ts";
import type { UserConfig } from "../server/config/user_config.ts";
import { claimNames, isServerClaim } from "../server/model/claims.ts";
import type { Client } from "../server/model/client.ts";
import { openedNames } from "../server/protocol/claim_rules.ts";

const maxListedUsers = 3;

/**
 * Returns a warning for each claim of a user that no client can receive. With a policy for claims
 * there are none, because only the policy knows what it opens.
 */
export function unopenedClaimWarnings(
  settings: Settings,
  clients: ReadonlyArray<Pick<Client, "claims">>,
  users: readonly UserConfig[],
): string[] {
  if (settings.policies.claims || users.length === 0) return [];
  const open = new Set([
    ...claimNames([...settings.scopes.keys()], settings),
    ...settings.openedClaims(),
    ...clients.flatMap(({ claims }) => openedNames(claims)),
  ]);
  const holders = new Map<string, string[]>();
  for (const { name: user, claims = {} } of users) {
    for (const name of Object.keys(claims)) {
      if (open.has(name) && !isServerClaim(name)) continue;
      const names = holders.get(name) ?? [];
      holders.set(name, names);
      names.push(user);
    }
  }
  return [...holders].map(([name, names]) => warningOf(name, names));
}

function warningOf(claim: string, holders: readonly string[]): string {
  const listed = holders.slice(0, maxListedUsers).join(", ");
  const others = holders.length - maxListedUsers;
  const whose = others > 0 ? `${listed} and ${others} more users` : listed;
  const advice = isServerClaim(claim)
    ? "The server sets claims of that name itself."
    : "Open it in 'claims' of a scope or of a client, or by the policy 'claims'.";
  return `No client receives the claim '${claim}' of ${whose}. ${advice}`;
}

import type { Settings } from "../../config/settings.ts";
import type { Client } from "../../model/client.ts";
import { clientDefaults } from "../../model/client_defaults.ts";
import { issuerNameIn } from "../../protocol/workload.ts";

/**
 * Finds the workload that a token was issued to, as long as its issuer is configured. It is a
 * client that no request can name: it has no secret and no key, and may use no grant.
 */
export function findWorkload(
  settings: Pick<Settings, "workloadIssuers" | "profile">,
  id: string,
): Client | undefined {
  const name = issuerNameIn(id);
  if (name === undefined) return undefined;
  const isKnown = [...settings.workloadIssuers.values()].some((issuer) => issuer.name === name);
  return isKnown ? workloadClient(settings, id) : undefined;
}

/**
 * Returns a workload as the client of its tokens. A profile that binds the tokens of all clients to
 * their keys binds these, too.
 */
export function workloadClient({ profile }: Pick<Settings, "profile">, id: string): Client {
  return {
    ...clientDefaults,
    dpop: profile.client.dpop ?? clientDefaults.dpop,
    id,
    name: id,
    sector: id,
    secrets: [],
    authentication: [],
    authorizationDetailsTypes: [],
    defaultScope: [],
    grantTypes: [],
    scopes: [],
    rememberConsent: false,
    requirePar: false,
    trusted: true,
  };
}

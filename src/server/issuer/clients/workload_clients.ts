import type { Settings } from "../../config/settings.ts";
import type { Client } from "../../model/client.ts";
import { clientDefaults } from "../../model/client_defaults.ts";
import { issuerNameIn } from "../../protocol/workload.ts";

/**
 * Finds the workload that a token was issued to, as long as its issuer is configured. It is a client
 * that no request can name: it has no secret and no key, and may use no grant.
 */
export function findWorkload(
  { workloadIssuers }: Pick<Settings, "workloadIssuers">,
  id: string,
): Client | undefined {
  const name = issuerNameIn(id);
  if (name === undefined) return undefined;
  const isKnown = [...workloadIssuers.values()].some((issuer) => issuer.name === name);
  return isKnown ? workloadClient(id) : undefined;
}

/** Returns a workload as the client of its tokens. */
export function workloadClient(id: string): Client {
  return {
    ...clientDefaults,
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

import type { CoreLab } from "../core/core_lab.ts";
import { chosenTenants, type OpenedTenant, type OpenedTenants } from "./opened_tenant.ts";
import {
  belongsToIssuer,
  isLabHost,
  type LabUrls,
  tenantIdOf,
  tenantPrefix,
} from "./tenant_addresses.ts";

/**
 * Finds the tenant that a URL belongs to: by an issuer, a host that a tenant plays, or the path.
 */
export function findTenant<L extends CoreLab>(
  lab: LabUrls,
  opened: OpenedTenants<L>,
  url: URL,
): L | undefined {
  if (opened.size === 0) return undefined;
  const chosen = findChosen(lab, opened, url);
  if (chosen) return chosen.lab;
  const playing = tenantsPlaying(lab, opened, url);
  // Nothing else in a request tells two tenants with the same host apart.
  if (playing.length === 1) return playing[0]?.lab;
  const found = tenantAtPath(lab, opened, url.pathname);
  return found?.chosenIssuer === undefined ? found?.lab : undefined;
}

/** Finds the tenant whose id is in a path of the lab. */
export function tenantAtPath<L extends CoreLab>(
  lab: LabUrls,
  opened: OpenedTenants<L>,
  pathname: string,
): OpenedTenant<L> | undefined {
  if (opened.size === 0) return undefined;
  return opened.get(tenantIdOf(pathname, tenantPrefix(lab)) ?? "");
}

/** Finds the tenant whose issuer a URL belongs to; of several, the one with the longest issuer. */
function findChosen<L extends CoreLab>(
  lab: LabUrls,
  opened: OpenedTenants<L>,
  url: URL,
): OpenedTenant<L> | undefined {
  const [longest] = chosenTenants(opened)
    .filter(({ chosenBase }) => belongsToIssuer(lab, url, chosenBase))
    .sort((a, b) => b.chosenBase.length - a.chosenBase.length);
  return longest;
}

function tenantsPlaying<L extends CoreLab>(
  lab: LabUrls,
  opened: OpenedTenants<L>,
  { hostname }: URL,
): Array<OpenedTenant<L>> {
  if (isLabHost(lab, hostname)) return [];
  return [...opened.values()].filter(({ hosts }) => hosts.includes(hostname));
}

import { canonicalJson } from "../../server/util/text/json.ts";
import type { CoreLab } from "../core/core_lab.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import { changeableSettings } from "../lab_server/changeable_settings.ts";
import type { CoreLabConfig } from "../lab_server/lab_config.ts";
import { LabError } from "../util/lab_error.ts";
import {
  belongsToIssuer,
  isLabHost,
  type LabUrls,
  tenantIdOf,
  tenantPrefix,
} from "./tenant_addresses.ts";

/** The settings of a tenant, without what names it. */
export type TenantSettings = Omit<CoreTenantConfig, "id" | "issuer">;

/** A tenant, and what it was opened with. */
export interface OpenedTenant<L extends CoreLab = CoreLab> {
  lab: L;
  /** The settings that JSON can hold. */
  given: Record<string, unknown>;
  /** The issuer, if the test chose it. */
  chosenIssuer: string | undefined;
  /** The URL above all URLs of the tenant, if the test chose the issuer. */
  chosenBase: string | undefined;
  /** The hosts that the tenant plays. */
  hosts: readonly string[];
}

/** The tenants of a lab, by their ids. */
export type OpenedTenants<L extends CoreLab = CoreLab> = ReadonlyMap<string, OpenedTenant<L>>;

/** A tenant whose issuer the test chose. */
type ChosenTenant<L extends CoreLab> = OpenedTenant<L> & {
  chosenIssuer: string;
  chosenBase: string;
};

/** Creates the entry of a tenant: its lab, and what it was opened with. */
export function createOpenedTenant<L extends CoreLab>(
  lab: L,
  issuer: string | undefined,
  settings: TenantSettings,
): OpenedTenant<L> {
  return {
    lab,
    given: jsonSettings(settings),
    chosenIssuer: issuer,
    chosenBase: issuer === undefined ? undefined : baseOf(issuer, settings),
    hosts: playedHosts(settings.dialect),
  };
}

/** Returns the tenants whose issuer the test chose. */
export function chosenTenants<L extends CoreLab>(opened: OpenedTenants<L>): Array<ChosenTenant<L>> {
  return [...opened.values()].filter((each): each is ChosenTenant<L> =>
    each.chosenIssuer !== undefined
  );
}

/**
 * Finds the tenant that a test wants to use again; undefined if there is none yet.
 *
 * @throws {LabError} The tenant has other settings.
 */
export function findReusable<L extends CoreLab>(
  opened: OpenedTenants<L>,
  { id, issuer, ...settings }: CoreTenantConfig,
): L | undefined {
  if (id === undefined && issuer === undefined) {
    throw new LabError("'reuse' needs the 'id' or the 'issuer' of the tenant.");
  }
  const [name, found] =
    [...opened].find(([name, { chosenIssuer }]) =>
      id === undefined ? chosenIssuer === issuer : name === id
    ) ?? [];
  if (!found) return undefined;
  const others = differingNames(jsonSettings(settings), found.given);
  if (found.chosenIssuer !== issuer) others.unshift("issuer");
  if (others.length === 0) return found.lab;
  throw new LabError(`The tenant '${name}' exists with other values of: ${others.join(", ")}.`);
}

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

/** Returns the URL above all paths of a tenant. A value that is not a URL is checked later. */
export function baseOf(issuer: string, { dialect }: Pick<CoreLabConfig, "dialect">): string {
  return dialect === undefined ? issuer : dialectAddress(issuer, dialect).base;
}

/** Returns the names of the settings that two tenants do not have in common. */
function differingNames(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => canonicalJson(one[name]) !== canonicalJson(other[name]));
}

function jsonSettings(settings: TenantSettings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => changeableSettings.includes(name)),
  );
}

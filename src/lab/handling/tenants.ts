import { addressesOf } from "../../server/config/addresses.ts";
import type { ServerEventListener } from "../../server/config/events.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { canonicalJson } from "../../server/util/text/json.ts";
import { tenantPath } from "../control/control_path.ts";
import type { InterfacePlace, Lab, TenantConfig, TenantJoining, Tenants } from "../control/lab.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import { changeableSettings } from "../lab_server/changeable_settings.ts";
import type { LabConfig } from "../lab_server/lab_server.ts";
import type { ConfiguredListeners } from "../recording/lab_event.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import {
  addressesBelow,
  belongsToIssuer,
  checkChosenIssuer,
  isLabHost,
  type LabSurface,
  tenantIdOf,
  tenantPrefix,
} from "./tenant_addresses.ts";

interface LabAround extends LabSurface, ConfiguredListeners {}

/** A tenant, and what it was opened with. */
interface OpenedTenant {
  lab: Lab;
  /** The settings that JSON can hold. */
  given: Record<string, unknown>;
  /** The issuer, if the test chose it. */
  chosenIssuer: string | undefined;
  /** The URL below which all URLs are of the tenant, if the test chose the issuer. */
  chosenBase: string | undefined;
  /** The hosts that the tenant plays. */
  hosts: readonly string[];
}

/** A tenant whose issuer the test chose. */
type ChosenTenant = OpenedTenant & { chosenIssuer: string; chosenBase: string };

/** What the lab of a tenant has from the lab around it. */
export interface TenantPlace {
  /** Where its interface is, if that is not at its issuer. */
  place?: InterfacePlace | undefined;
  /** The name of the tenant, if its requests are recorded with those of the lab. */
  recordedAs?: string | undefined;
}

/** Opens the lab of a tenant. */
export type OpenTenant = (config: LabConfig, around: TenantPlace) => Lab;

export function createTenants(config: LabAround, openLab: OpenTenant): Tenants {
  const opened = new Map<string, OpenedTenant>();
  const { addresses } = addressesOf(config);
  const prefix = tenantPrefix(config);
  let count = 0;

  function openTenant(
    id: string,
    { id: _, issuer, ...tenant }: TenantConfig,
    { joinsRecord = false }: TenantJoining,
  ): Lab {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      throw new LabError(
        "The id of a tenant has up to 64 letters, digits, hyphens and underscores.",
      );
    }
    if (opened.has(id)) throw new LabError(`The tenant '${id}' already exists.`);
    const listeners = listenersOf(id, tenant, config);
    const below = addressesBelow(config, tenantPath(id));
    const recordedAs = joinsRecord ? id : undefined;
    const lab = issuer === undefined
      ? openLab({ ...tenant, ...below, ...listeners }, { recordedAs })
      : openChosen(id, issuer, { ...tenant, ...listeners });
    opened.set(id, {
      lab,
      given: settingsOf(tenant),
      chosenIssuer: issuer,
      chosenBase: issuer === undefined ? undefined : baseOf(issuer, tenant),
      hosts: playedHosts(tenant.dialect),
    });
    lab.onClose(() => void opened.delete(id));
    return lab;
  }

  /** The host of such a tenant never leads to the interface over HTTP. */
  function openChosen(id: string, issuer: string, tenant: Omit<LabConfig, "issuer">): Lab {
    checkChosenIssuer(config, baseOf(issuer, tenant), chosen().map(({ chosenBase }) => chosenBase));
    const base = `${prefix}${id}`;
    const pagesUrl = () => issuerUrl(config.issuer, `${tenantPath(id)}/lab`);
    return openLab({ ...tenant, issuer, controlApart: true, pagesUrl }, {
      place: { base, addresses },
    });
  }

  function chosen(): ChosenTenant[] {
    return [...opened.values()].filter((each): each is ChosenTenant =>
      each.chosenIssuer !== undefined
    );
  }

  /** Finds the tenant that a test wants to use again; undefined if there is none yet. */
  function findReusable({ id, issuer, ...tenant }: TenantConfig): Lab | undefined {
    if (id === undefined && issuer === undefined) {
      throw new LabError("'reuse' needs the 'id' or the 'issuer' of the tenant.");
    }
    const [name, found] =
      [...opened].find(([name, { chosenIssuer }]) =>
        id === undefined ? chosenIssuer === issuer : name === id
      ) ?? [];
    if (!found) return undefined;
    const others = differingNames(settingsOf(tenant), found.given);
    if (found.chosenIssuer !== issuer) others.unshift("issuer");
    if (others.length === 0) return found.lab;
    throw new LabError(`The tenant '${name}' exists with other values of: ${others.join(", ")}.`);
  }

  function playingHost(hostname: string): Lab[] {
    if (isLabHost(config, hostname)) return [];
    return [...opened.values()].filter(({ hosts }) => hosts.includes(hostname)).map(({ lab }) =>
      lab
    );
  }

  const tenants: Tenants = {
    open({ reuse = false, ...tenant }, options = {}) {
      const reusable = reuse ? findReusable(tenant) : undefined;
      return reusable ?? openTenant(tenant.id ?? String(++count), tenant, options);
    },
    ofUrl(url) {
      if (opened.size === 0) return undefined;
      const matching = chosen()
        .filter(({ chosenBase }) => belongsToIssuer(config, url, chosenBase))
        .sort((a, b) => b.chosenBase.length - a.chosenBase.length);
      if (matching.length > 0) return matching[0]?.lab;
      const playing = playingHost(url.hostname);
      // Nothing else in a request tells two tenants with the same host apart.
      if (playing.length === 1) return playing[0];
      const found = opened.get(tenantIdOf(url.pathname, prefix) ?? "");
      return found?.chosenIssuer === undefined ? found?.lab : undefined;
    },
    ofControlPath: (pathname) => opened.get(tenantIdOf(pathname, prefix) ?? "")?.lab,
    hasHost: (hostname) =>
      chosen().some(({ chosenIssuer }) => new URL(chosenIssuer).hostname === hostname) &&
      !isLabHost(config, hostname),
    chosenIssuers: () => chosen().map(({ chosenIssuer }) => chosenIssuer),
    find(id) {
      const found = opened.get(id);
      if (!found) throw unknownName("tenant", id, tenants.ids());
      return found.lab;
    },
    ids: () => [...opened.keys()],
    async close(id) {
      const closing = id === undefined
        ? [...opened].map(([name, { lab }]) => [name, lab] as const)
        : [[id, tenants.find(id)] as const];
      for (const [name] of closing) opened.delete(name);
      await Promise.all(closing.map(([, lab]) => lab.close()));
    },
  };
  return tenants;
}

/** Returns the URL below which all paths of a tenant are. What is no URL is reported as it is. */
function baseOf(issuer: string, { dialect }: Pick<LabConfig, "dialect">): string {
  return dialect === undefined ? issuer : dialectAddress(issuer, dialect).base;
}

/** Returns the names of the settings that two tenants do not have in common. */
function differingNames(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => canonicalJson(one[name]) !== canonicalJson(other[name]));
}

function settingsOf(tenant: Omit<TenantConfig, "id" | "issuer">): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tenant).filter(([name]) => changeableSettings.includes(name)),
  );
}

/** Adds the tenant to the events for the lab's listeners. Listeners of a tenant know it. */
function listenersOf(
  tenant: string,
  own: ConfiguredListeners,
  around: ConfiguredListeners,
): Pick<LabConfig, "onLabEvent"> & { onEvent: ServerEventListener } {
  return {
    onEvent(event, request) {
      own.onEvent?.(event, request);
      around.onEvent?.(withTenant(event, tenant), request);
    },
    onLabEvent(event) {
      own.onLabEvent?.(event);
      around.onLabEvent?.(withTenant(event, tenant));
    },
  };
}

function withTenant<Event extends object>(event: Event, tenant: string): Event {
  return { ...event, tenant };
}

import { addressesOf } from "../../server/config/addresses.ts";
import type { ServerEventListener } from "../../server/config/events.ts";
import type { PathsConfig } from "../../server/config/paths_config.ts";
import {
  basePath,
  issuerUrl,
  pathWithinIssuer,
  splitWellKnownPath,
} from "../../server/protocol/issuer_url.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { canonicalJson } from "../../server/util/text/json.ts";
import type { InterfacePlace, Lab, TenantConfig, Tenants } from "../control/lab.ts";
import { changeableSettings } from "../lab_server/changeable_settings.ts";
import type { LabConfig } from "../lab_server/lab_server.ts";
import type { ConfiguredListeners } from "../recording/lab_event.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import { isIpAddress } from "../util/own_host.ts";

/** The path below which the tenants of a lab live. */
const tenantsPath = "/t/";

/** The first segments of paths that a lab itself uses. */
const ownSegments = [
  ".well-known",
  "account",
  "authorized",
  "callback",
  "favicon.ico",
  "health",
  "lab",
  "oauth2",
  "sign-out",
  "start",
  "static",
  "t",
];

interface LabAround extends LabAddresses, ConfiguredListeners {
  paths?: PathsConfig | undefined;
}

/** A tenant, and what it was opened with. */
interface OpenedTenant {
  lab: Lab;
  /** The settings that JSON can hold. */
  given: Record<string, unknown>;
  /** The issuer, if the test chose it. */
  chosenIssuer: string | undefined;
}

/** Opens the lab of a tenant; `place` is where its interface is, if that is not at its issuer. */
type OpenTenant = (config: LabConfig, place?: InterfacePlace) => Lab;

interface LabAddresses {
  issuer: string;
  frontChannelUrl?: string;
  backChannelUrl?: string;
}

export function createTenants(config: LabAround, openLab: OpenTenant): Tenants {
  const opened = new Map<string, OpenedTenant>();
  const { addresses } = addressesOf(config);
  const prefix = `${basePath(config.issuer)}${tenantsPath}`;
  let count = 0;

  function openTenant(id: string, { id: _, issuer, ...tenant }: TenantConfig): Lab {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      throw new LabError(
        "The id of a tenant has up to 64 letters, digits, hyphens and underscores.",
      );
    }
    if (opened.has(id)) throw new LabError(`The tenant '${id}' already exists.`);
    const listeners = listenersOf(id, tenant, config);
    const lab = issuer === undefined
      ? openLab({ ...tenant, ...addressesBelow(config, tenantPath(id)), ...listeners })
      : openChosen(id, issuer, { ...tenant, ...listeners });
    opened.set(id, { lab, given: settingsOf(tenant), chosenIssuer: issuer });
    lab.onClose(() => void opened.delete(id));
    return lab;
  }

  /** The host of such a tenant never leads to the interface over HTTP. */
  function openChosen(id: string, issuer: string, tenant: Omit<LabConfig, "issuer">): Lab {
    checkIssuer(issuer);
    const base = `${prefix}${id}`;
    const pagesUrl = () => issuerUrl(config.issuer, `${tenantPath(id)}/lab`);
    return openLab({ ...tenant, issuer, controlApart: true, pagesUrl }, { base, addresses });
  }

  function checkIssuer(issuer: string): void {
    if (typeof issuer !== "string" || !URL.canParse(issuer)) {
      throw new LabError("The 'issuer' of a tenant must be an absolute URL.");
    }
    const { hostname, pathname } = new URL(issuer);
    const isTaken = chosen().some(({ chosenIssuer }) => isSameIssuer(chosenIssuer, issuer));
    if (isTaken) throw new LabError(`Another tenant already has the issuer '${issuer}'.`);
    if (!isLabHost(hostname)) return;
    const [, first = ""] = pathname.split("/");
    const segments = Object.values(config.paths ?? {}).map((path) => path?.split("/")[1]);
    const labSegment = basePath(config.issuer).split("/")[1];
    if (first === "" || [...ownSegments, ...segments, labSegment].includes(first)) {
      throw new LabError(
        `The issuer '${issuer}' would hide paths of the lab; choose another path.`,
      );
    }
  }

  /** A name below localhost is a host of its own, as any other name is. */
  function isLabHost(hostname: string): boolean {
    return isLoopbackHost(hostname) || isIpAddress(hostname) ||
      addresses.some((address) => new URL(address).hostname === hostname);
  }

  function chosen(): Array<OpenedTenant & { chosenIssuer: string }> {
    return [...opened.values()].filter((each): each is OpenedTenant & { chosenIssuer: string } =>
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
    const given = settingsOf(tenant);
    const names = [...new Set([...Object.keys(given), ...Object.keys(found.given)])];
    const others = names.filter((each) =>
      canonicalJson(given[each]) !== canonicalJson(found.given[each])
    );
    if (found.chosenIssuer !== issuer) others.unshift("issuer");
    if (others.length === 0) return found.lab;
    throw new LabError(`The tenant '${name}' exists with other values of: ${others.join(", ")}.`);
  }

  const tenants: Tenants = {
    open({ reuse = false, ...tenant }) {
      const reusable = reuse ? findReusable(tenant) : undefined;
      return reusable ?? openTenant(tenant.id ?? String(++count), tenant);
    },
    ofUrl(url) {
      if (opened.size === 0) return undefined;
      const matching = chosen().filter(({ chosenIssuer }) => isBelow(url, chosenIssuer, isLabHost))
        .sort((a, b) => b.chosenIssuer.length - a.chosenIssuer.length);
      if (matching.length > 0) return matching[0]?.lab;
      const found = opened.get(tenantIdOf(url.pathname, prefix) ?? "");
      return found?.chosenIssuer === undefined ? found?.lab : undefined;
    },
    ofControlPath: (pathname) => opened.get(tenantIdOf(pathname, prefix) ?? "")?.lab,
    hasHost: (hostname) =>
      !isLabHost(hostname) &&
      chosen().some(({ chosenIssuer }) => new URL(chosenIssuer).hostname === hostname),
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

function settingsOf(tenant: Omit<TenantConfig, "id" | "issuer">): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tenant).filter(([name]) => changeableSettings.includes(name)),
  );
}

/** Two issuers that differ in their final slash have the same endpoints. */
function isSameIssuer(issuer: string, other: string): boolean {
  return new URL(issuer).host === new URL(other).host && basePath(issuer) === basePath(other);
}

/** Whether a URL belongs to an issuer; on the hosts of the lab, its path alone decides. */
function isBelow(
  { hostname, pathname }: URL,
  issuer: string,
  isLabHost: (hostname: string) => boolean,
): boolean {
  const host = new URL(issuer).hostname;
  const isHost = hostname === host || (isLabHost(hostname) && isLabHost(host));
  return isHost && pathWithinIssuer(pathname, basePath(issuer)) !== undefined;
}

/** Returns the path of a tenant below the issuer of its lab. */
export function tenantPath(id: string): string {
  return `${tenantsPath}${id}`;
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

/** Returns the id of the tenant that a path belongs to. */
function tenantIdOf(pathname: string, prefix: string): string | undefined {
  const { issuerPath } = splitWellKnownPath(pathname);
  if (!issuerPath.startsWith(prefix)) return undefined;
  return issuerPath.slice(prefix.length).split("/", 1)[0];
}

/** Returns the addresses of a tenant: those of the lab, each with the path of the tenant. */
function addressesBelow(
  { issuer, frontChannelUrl, backChannelUrl }: LabAddresses,
  path: string,
): LabAddresses {
  return {
    issuer: issuerUrl(issuer, path),
    ...frontChannelUrl && { frontChannelUrl: issuerUrl(frontChannelUrl, path) },
    ...backChannelUrl && { backChannelUrl: issuerUrl(backChannelUrl, path) },
  };
}

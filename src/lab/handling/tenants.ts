import type { ServerEventListener } from "../../server/config/events.ts";
import { basePath, issuerUrl, splitWellKnownPath } from "../../server/protocol/issuer_url.ts";
import type { Lab, TenantConfig, Tenants } from "../control/lab.ts";
import type { LabConfig } from "../lab_server/lab_server.ts";
import type { ConfiguredListeners } from "../recording/lab_event.ts";
import { LabError, unknownName } from "../util/lab_error.ts";

/** The path below which the tenants of a lab live. */
const tenantsPath = "/t/";

interface LabAround extends LabAddresses, ConfiguredListeners {}

interface LabAddresses {
  issuer: string;
  frontChannelUrl?: string;
  backChannelUrl?: string;
}

export function createTenants(config: LabAround, openLab: (config: LabConfig) => Lab): Tenants {
  const labs = new Map<string, Lab>();
  const prefix = `${basePath(config.issuer)}${tenantsPath}`;
  let opened = 0;

  function openTenant(id: string, tenant: TenantConfig): Lab {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      throw new LabError(
        "The id of a tenant has up to 64 letters, digits, hyphens and underscores.",
      );
    }
    if (labs.has(id)) throw new LabError(`The tenant '${id}' already exists.`);
    const lab = openLab({
      ...tenant,
      ...addressesBelow(config, tenantPath(id)),
      ...listenersOf(id, tenant, config),
    });
    labs.set(id, lab);
    lab.onClose(() => void labs.delete(id));
    return lab;
  }

  const tenants: Tenants = {
    open: ({ id, ...config }) => openTenant(id ?? String(++opened), config),
    ofPath(pathname) {
      if (labs.size === 0) return undefined;
      const id = tenantIdOf(pathname, prefix);
      return id === undefined ? undefined : labs.get(id);
    },
    find(id) {
      const lab = labs.get(id);
      if (!lab) throw unknownName("tenant", id, tenants.ids());
      return lab;
    },
    ids: () => [...labs.keys()],
    async close(id) {
      const closing = id === undefined ? [...labs] : [[id, tenants.find(id)] as const];
      for (const [name] of closing) labs.delete(name);
      await Promise.all(closing.map(([, lab]) => lab.close()));
    },
  };
  return tenants;
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

import type { ServerEventListener } from "../../server/config/events.ts";
import type { CoreLab, Tenants } from "../core/core_lab.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import type { CoreLabConfig } from "../lab_server/lab_config.ts";
import type { ConfiguredListeners } from "../recording/lab_event.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import {
  baseOf,
  chosenTenants,
  createOpenedTenant,
  findReusable,
  findTenant,
  type OpenedTenant,
  type OpenedTenants,
  tenantAtPath,
  type TenantSettings,
} from "./opened_tenants.ts";
import {
  checkChosenIssuer,
  isLabHost,
  type LabUrls,
  placeAtIssuer,
  placeBelow,
  type TenantPlacement,
} from "./tenant_addresses.ts";

/** The lab whose tenants are opened. */
interface LabAround extends LabUrls, ConfiguredListeners {}

/** Opens the lab of a tenant. */
export type OpenTenant<L extends CoreLab> = (
  id: string,
  config: CoreLabConfig,
  place: TenantPlacement["place"],
) => L;

export function createTenants<L extends CoreLab>(
  around: LabAround,
  openLab: OpenTenant<L>,
): Tenants<L> {
  const opened = new Map<string, OpenedTenant<L>>();
  let count = 0;

  function openTenant(id: string, { id: _, issuer, ...settings }: CoreTenantConfig): L {
    checkNewId(id, opened);
    const { settings: placed, place } = placeTenant(id, issuer, settings);
    const listeners = listenersOf(id, settings, around);
    const lab = openLab(id, { ...settings, ...placed, ...listeners }, place);
    opened.set(id, createOpenedTenant(lab, issuer, settings));
    lab.onClose(() => void opened.delete(id));
    return lab;
  }

  function placeTenant(
    id: string,
    issuer: string | undefined,
    settings: TenantSettings,
  ): TenantPlacement {
    if (issuer === undefined) return placeBelow(around, id);
    const others = chosenTenants(opened).map(({ chosenBase }) => chosenBase);
    checkChosenIssuer(around, baseOf(issuer, settings), others);
    return placeAtIssuer(around, id, issuer);
  }

  const tenants: Tenants<L> = {
    open({ reuse = false, ...tenant }) {
      const reusable = reuse ? findReusable(opened, tenant) : undefined;
      return reusable ?? openTenant(tenant.id ?? String(++count), tenant);
    },
    ofUrl: (url) => findTenant(around, opened, url),
    ofControlPath: (pathname) => tenantAtPath(around, opened, pathname)?.lab,
    hasHost: (hostname) =>
      tenants.chosenIssuers().some((issuer) => new URL(issuer).hostname === hostname) &&
      !isLabHost(around, hostname),
    chosenIssuers: () => chosenTenants(opened).map(({ chosenIssuer }) => chosenIssuer),
    find(id) {
      const found = opened.get(id);
      if (!found) throw unknownName("tenant", id, tenants.ids());
      return found.lab;
    },
    ids: () => [...opened.keys()],
    async close(id) {
      const names = id === undefined ? tenants.ids() : [id];
      const closing = names.map(tenants.find);
      for (const name of names) opened.delete(name);
      await Promise.all(closing.map((lab) => lab.close()));
    },
  };
  return tenants;
}

function checkNewId(id: string, opened: OpenedTenants): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    throw new LabError("The id of a tenant has up to 64 letters, digits, hyphens and underscores.");
  }
  if (opened.has(id)) throw new LabError(`The tenant '${id}' already exists.`);
}

/**
 * Adds the tenant to the events for the lab's listeners. Listeners of a tenant know it. The lab has
 * recorded its requests itself, and announces them.
 */
function listenersOf(
  tenant: string,
  own: ConfiguredListeners,
  around: ConfiguredListeners,
): Pick<CoreLabConfig, "onLabEvent"> & { onEvent: ServerEventListener } {
  return {
    onEvent(event, request) {
      own.onEvent?.(event, request);
      around.onEvent?.(withTenant(event, tenant), request);
    },
    onLabEvent(event) {
      own.onLabEvent?.(event);
      if (event.type !== "exchange.recorded") around.onLabEvent?.(withTenant(event, tenant));
    },
  };
}

function withTenant<Event extends object>(event: Event, tenant: string): Event {
  return { ...event, tenant };
}

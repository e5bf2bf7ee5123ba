import { canonicalJson } from "../../server/util/text/json.ts";
import type { CoreLab, Tenants } from "../core/core_lab.ts";
import type { CoreTenantConfig } from "../core/tenant_config.ts";
import { dialectAddress } from "../dialect/dialect_address.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import type { CoreLabConfig } from "../lab_server/core_lab_config.ts";
import { isJsonSetting } from "../lab_server/json_settings.ts";
import type { ConfiguredListeners } from "../recording/lab_event.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import {
  belongsToIssuer,
  checkChosenIssuer,
  isSharedHost,
  type LabUrls,
  placeAtIssuer,
  placeBelow,
  tenantIdOf,
  type TenantPlacement,
  tenantPrefix,
} from "./tenant_addresses.ts";

interface OpenedTenant<L> {
  lab: L;
  /** The settings that JSON can hold. */
  given: Record<string, unknown>;
  /** The issuer that the test chose, and the URL above all URLs of the tenant. */
  chosen?: { issuer: string; base: string } | undefined;
  /** The hosts that the tenant plays. */
  hosts: readonly string[];
}

/** The lab whose tenants are opened. Its `issuer` is what the paths of its dialect are below. */
interface OuterLab extends LabUrls, ConfiguredListeners {}

export type TenantOpener<L extends CoreLab> = (
  id: string,
  config: CoreLabConfig,
  place: TenantPlacement["place"],
) => L;

/** The tenants of a lab that are open, by their ids. */
export class TenantList<L extends CoreLab> implements Tenants<L> {
  readonly #outer: OuterLab;
  readonly #openLab: TenantOpener<L>;
  readonly #opened = new Map<string, OpenedTenant<L>>();
  #count = 0;

  constructor(outer: OuterLab, openLab: TenantOpener<L>) {
    this.#outer = outer;
    this.#openLab = openLab;
  }

  open({ reuse = false, ...tenant }: CoreTenantConfig): L {
    const reusable = reuse ? this.#findReusable(tenant) : undefined;
    return reusable ?? this.#openNew(tenant.id ?? String(++this.#count), tenant);
  }

  readonly find = (id: string): L => {
    const found = this.#opened.get(id);
    if (!found) throw unknownName("tenant", id, this.ids());
    return found.lab;
  };

  all(): L[] {
    return [...this.#opened.values()].map(({ lab }) => lab);
  }

  ids(): string[] {
    return [...this.#opened.keys()];
  }

  async close(id?: string): Promise<void> {
    const closing = id === undefined ? this.all() : [this.find(id)];
    await Promise.all(closing.map((lab) => lab.close()));
  }

  chosenIssuers(): string[] {
    return this.#chosen().map(({ issuer }) => issuer);
  }

  hasHost(hostname: string): boolean {
    return this.#chosen().some(({ issuer }) => new URL(issuer).hostname === hostname) &&
      !isSharedHost(this.#outer, hostname);
  }

  ofControlPath(pathname: string): L | undefined {
    return this.#atPath(pathname)?.lab;
  }

  /** By an issuer, of several the longest, by a host that a tenant plays, or by the path. */
  ofUrl(url: URL): L | undefined {
    if (this.#opened.size === 0) return undefined;
    const [longest] = this.#chosen()
      .filter(({ base }) => belongsToIssuer(this.#outer, url, base))
      .sort((a, b) => b.base.length - a.base.length);
    if (longest) return longest.lab;
    const playing = isSharedHost(this.#outer, url.hostname)
      ? []
      : [...this.#opened.values()].filter(({ hosts }) => hosts.includes(url.hostname));
    // Nothing else in a request tells two tenants with the same host apart.
    if (playing.length === 1) return playing[0]?.lab;
    const found = this.#atPath(url.pathname);
    return found?.chosen ? undefined : found?.lab;
  }

  /** Finds the tenant whose id is in a path of the lab. */
  #atPath(pathname: string): OpenedTenant<L> | undefined {
    if (this.#opened.size === 0) return undefined;
    return this.#opened.get(tenantIdOf(pathname, tenantPrefix(this.#outer)) ?? "");
  }

  /** Returns the tenants whose issuer the test chose. */
  #chosen(): Array<{ lab: L; issuer: string; base: string }> {
    return [...this.#opened.values()].flatMap(({ lab, chosen }) =>
      chosen ? { lab, ...chosen } : []
    );
  }

  #openNew(id: string, { id: _, issuer, ...settings }: CoreTenantConfig): L {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      throw new LabError(
        "The id of a tenant has up to 64 letters, digits, hyphens and underscores.",
      );
    }
    if (this.#opened.has(id)) throw new LabError(`The tenant '${id}' already exists.`);
    const chosen = issuer === undefined ? undefined : { issuer, base: baseOf(issuer, settings) };
    if (chosen) {
      checkChosenIssuer(this.#outer, chosen.base, this.#chosen().map(({ base }) => base));
    }
    const { settings: placed, place } = chosen
      ? placeAtIssuer(this.#outer, id, chosen.issuer)
      : placeBelow(this.#outer, id);
    const listeners = listenersOf(id, settings, this.#outer);
    const lab = this.#openLab(id, { ...settings, ...placed, ...listeners }, place);
    const hosts = playedHosts(settings.dialect?.hosts);
    this.#opened.set(id, { lab, given: jsonSettings(settings), chosen, hosts });
    // A tenant may be closed twice, and another one may have its id by then.
    lab.onClose(() => {
      if (this.#opened.get(id)?.lab === lab) this.#opened.delete(id);
    });
    return lab;
  }

  /** Finds the tenant that a test wants to use again; undefined if there is none yet. */
  #findReusable({ id, issuer, ...settings }: CoreTenantConfig): L | undefined {
    if (id === undefined && issuer === undefined) {
      throw new LabError("'reuse' needs the 'id' or the 'issuer' of the tenant.");
    }
    const [name, found] =
      [...this.#opened].find(([name, { chosen }]) =>
        id === undefined ? chosen?.issuer === issuer : name === id
      ) ?? [];
    if (!found) return undefined;
    const [given, before] = [jsonSettings(settings), found.given];
    const others = [...new Set([...Object.keys(given), ...Object.keys(before)])]
      .filter((name) => canonicalJson(given[name]) !== canonicalJson(before[name]));
    if (found.chosen?.issuer !== issuer) others.unshift("issuer");
    if (others.length === 0) return found.lab;
    throw new LabError(`The tenant '${name}' exists with other values of: ${others.join(", ")}.`);
  }
}

/** Returns the URL above all paths of a tenant. A value that is not a URL is checked later. */
function baseOf(issuer: string, { dialect }: CoreTenantConfig): string {
  return dialect === undefined ? issuer : dialectAddress(issuer, dialect).base;
}

function jsonSettings(settings: CoreTenantConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => isJsonSetting(name)),
  );
}

/**
 * Adds the tenant to the events for the lab's listeners. Listeners of a tenant know it. The lab has
 * recorded its requests itself, and announces them.
 */
function listenersOf(tenant: string, own: ConfiguredListeners, outer: ConfiguredListeners) {
  return {
    onEvent(event, request) {
      own.onEvent?.(event, request);
      outer.onEvent?.(withTenant(event, tenant), request);
    },
    onLabEvent(event) {
      own.onLabEvent?.(event);
      if (event.type !== "exchange.recorded") outer.onLabEvent?.(withTenant(event, tenant));
    },
  } satisfies ConfiguredListeners;
}

function withTenant<Event extends object>(event: Event, tenant: string): Event {
  return { ...event, tenant };
}

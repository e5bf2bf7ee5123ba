import { isLoopbackName } from "../../server/util/addresses/uri.ts";
import { isObject } from "../../server/util/text/json.ts";
import { isIpAddress } from "../util/own_addresses.ts";
import type { DialectHost } from "./place_settings.ts";

/** Returns the names of the hosts that a dialect plays. A name of this machine is never one. */
export function playedHosts(hosts: readonly DialectHost[] = []): string[] {
  const names = hosts.map(({ name }) => name);
  return names.filter((name) => !isLoopbackName(name) && !isIpAddress(name));
}

/** Returns the URL of the played host that the issuer has, if there is one. */
export function playedOrigin(hosts?: readonly DialectHost[]): string | undefined {
  const [first] = playedHosts(hosts);
  return first && `https://${first}`;
}

/** Returns the URL of a lab for one at a host that it plays, and every other URL as it is. */
export function urlAtBase(url: URL, base: string, hosts?: readonly DialectHost[]): URL {
  const isPlayed = playedHosts(hosts).includes(url.hostname);
  if (!isPlayed || url.hostname === new URL(base).hostname) return url;
  return new URL(base + url.pathname + url.search);
}

/** Returns a document whose URLs name the hosts they have at the provider, if its issuer does. */
export function withPlayedHosts(
  document: unknown,
  base: string,
  hosts: readonly DialectHost[],
): unknown {
  if (base !== playedOrigin(hosts)) return document;
  const hostsOfUrls = new Map(
    hosts.flatMap(({ name, paths = [] }) =>
      paths.map((path) => [base + path, `https://${name}${path}`] as const)
    ),
  );
  return mapTexts(document, (text) => hostsOfUrls.get(text) ?? text);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]),
  );
}

import { isIpAddress, isLoopbackName } from "../util/own_addresses.ts";
import type { Dialect } from "./dialect.ts";

/** What has hosts that it plays, or none. */
type Playing = Pick<Dialect, "hosts"> | undefined;

/** Returns the names of the hosts that a lab plays. A name of this machine is never one. */
export function playedHosts(dialect: Playing): string[] {
  const names = (dialect?.hosts ?? []).map(({ name }) => name);
  return names.filter((name) => !isLoopbackName(name) && !isIpAddress(name));
}

/** Returns the URL of the played host that the issuer has, if there is one. */
export function playedOrigin(dialect: Playing): string | undefined {
  const [first] = playedHosts(dialect);
  return first && `https://${first}`;
}

/** Returns the URL of a lab for one at a host that it plays, and every other URL as it is. */
export function urlAtBase(url: URL, base: string, dialect: Playing): URL {
  const isPlayed = playedHosts(dialect).includes(url.hostname);
  if (!isPlayed || url.hostname === new URL(base).hostname) return url;
  return new URL(base + url.pathname + url.search);
}

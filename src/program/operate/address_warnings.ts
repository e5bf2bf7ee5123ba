import {
  isBelowLocalhost,
  isLoopbackHost,
  isLoopbackName,
} from "../../server/util/addresses/uri.ts";
import { ownName } from "../terminal/own_name.ts";
import { hasProxyHere, isLoopback, isLoopbackNetwork, type Site } from "./site.ts";

/**
 * Returns a warning of addresses that others cannot reach, the most frequent question about servers
 * like this one.
 */
export function reachWarnings(site: Site): string[] {
  const { host, backChannelUrl, inContainer, isFreePort } = site;
  const advice = `Run ${ownName()} doctor for a configuration that works.`;
  if (!isLoopbackHost(host)) {
    if (!isLoopback(backChannelUrl)) return [];
    return [
      `The server listens on ${host}, but sends applications to ${backChannelUrl}. In another ` +
      `container, that is the container itself. ${advice}`,
    ];
  }
  // A port that was picked at random cannot be published: only neighbours in the container use it.
  if (!inContainer || isFreePort || hasProxyHere(site)) return [];
  return [`On ${host} inside a container, only that container reaches the server. ${advice}`];
}

/** A proxy on this machine needs no other address; one elsewhere is named in `trustedProxies`. */
export function plainHttpWarning(
  { issuer, host, hasTls, trustedProxies, inContainer }: Site,
): string | false {
  const hasProxyElsewhere = trustedProxies !== "loopback" &&
    !trustedProxies.every(isLoopbackNetwork);
  if (inContainer || isLoopbackHost(host) || hasTls || hasProxyElsewhere) return false;
  return issuer.startsWith("https:") &&
    `The issuer uses https, but the server listens on ${host} with plain http: other machines ` +
      "can get around the proxy and its encryption. If the proxy is on this machine, leave out " +
      "--host; otherwise name its addresses in 'trustedProxies', and let a firewall keep others " +
      "out.";
}

export function openMetricsWarning({ metrics, inContainer }: Site): string | false {
  return metrics !== undefined && !inContainer && !isLoopbackHost(metrics.host) &&
    "Other machines can read the metrics, which name your clients: they are served on " +
      `${metrics.host}. Leave out --metrics-host, or name an address that only your monitoring ` +
      "reaches.";
}

/** A loopback issuer with another port is more often a mistake than a proxy, if none is trusted. */
export function otherPortWarning({ issuer, port, trustedProxies }: Site): string | false {
  const url = new URL(issuer);
  const expected = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const isOther = isLoopbackName(url.hostname) && port !== expected && port !== 0;
  return isOther && trustedProxies.length === 0 &&
    `The issuer is ${issuer}, but the server listens on port ${port}. Clients can't find it ` +
      "there unless a proxy on this machine forwards their requests. Otherwise, use the same " +
      "port for both.";
}

/** A name below localhost is for tests. Some systems ask their name servers for it (RFC 6761). */
export function localhostNameWarning({ issuer }: Site): string | false {
  const { hostname } = new URL(issuer);
  return isBelowLocalhost(hostname) &&
    `The issuer has the name ${hostname}. Browsers find it on this machine, but some programs ` +
      "don't: use localhost, or add the name to the hosts file.";
}

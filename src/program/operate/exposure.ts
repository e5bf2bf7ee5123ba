import { stat } from "node:fs/promises";
import type { TrustedProxies } from "../../server/http/client_address.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import type { Environment } from "../terminal/terminal.ts";

/** The files by which Docker and Podman mark a container. */
const containerFiles = ["/.dockerenv", "/run/.containerenv"];

/** Where a server listens, and who is meant to reach it there. */
export interface ListeningServer {
  issuer: string;
  host: string;
  /** Whether the server itself has a certificate, rather than a proxy. */
  hasTls: boolean;
  trustedProxies: TrustedProxies;
  /** Where metrics are served, if they are. */
  metricsHost: string | undefined;
  /** In a container, every address is the right one: its network decides who reaches it. */
  inContainer: boolean;
}

/** Returns whether this program runs in a container. */
export async function isInContainer(environment: Environment): Promise<boolean> {
  if (environment.KUBERNETES_SERVICE_HOST) return true;
  const found = await Promise.all(
    containerFiles.map((path) => stat(path).then(() => true, () => false)),
  );
  return found.includes(true);
}

/** Returns whether an address means the machine it is used on. */
export function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

/** Returns what other machines can reach by accident, a sentence or two for each. */
export function exposureWarnings(server: ListeningServer): string[] {
  if (server.inContainer) return [];
  return [...plainHttpWarnings(server), ...metricsWarnings(server)];
}

/** A proxy on this machine needs no other address; one elsewhere is named in `trustedProxies`. */
function plainHttpWarnings({ issuer, host, hasTls, trustedProxies }: ListeningServer): string[] {
  if (isLoopbackHost(host) || hasTls || !issuer.startsWith("https:")) return [];
  if (hasProxyElsewhere(trustedProxies)) return [];
  return [
    `The issuer uses https, but the server listens on ${host} with plain http: other machines ` +
    "can get around the proxy and its encryption. If the proxy is on this machine, leave out --host; " +
    "otherwise name its addresses in 'trustedProxies', and let a firewall keep others out.",
  ];
}

function metricsWarnings({ metricsHost }: ListeningServer): string[] {
  if (metricsHost === undefined || isLoopbackHost(metricsHost)) return [];
  return [
    "Other machines can read the metrics, which name your clients: they are served on " +
    `${metricsHost}. Leave out --metrics-host, or name an address that only your monitoring reaches.`,
  ];
}

function hasProxyElsewhere(trustedProxies: TrustedProxies): boolean {
  if (trustedProxies === "loopback") return false;
  return trustedProxies.some((entry) => !isLoopbackHost(entry.split("/")[0] ?? ""));
}

import { addressesOf } from "../../server/config/addresses.ts";
import type { Settings } from "../../server/config/settings.ts";
import { isLoopbackHost, isLoopbackName } from "../../server/util/addresses/uri.ts";
import type { Invocation } from "../command_line/command.ts";
import {
  bracketed,
  type Configuration,
  hostOf,
  listenAddressOf,
  urlOfAddress,
} from "../configuration/configuration.ts";
import { lacksCertificates, mtlsUrlsOf } from "../configuration/mtls_settings.ts";
import { programDefaults } from "../configuration/program_config.ts";
import type { Environment } from "../terminal/terminal.ts";
import { pathExists } from "./open_store.ts";

/** Where to listen: a name or address, and a port. */
interface HostAndPort {
  host: string;
  port: number;
}

/** Where a server listens, or would, and the addresses at which it is reached. */
export interface Site extends
  Pick<
    Settings,
    "issuer" | "frontChannelUrl" | "backChannelUrl" | "addresses" | "trustedProxies"
  > {
  /** The name or address that it listens on. */
  host: string;
  /** The port that it listens on; 0 before a free one was picked. */
  port: number;
  /** Whether the system picks a free port, which is not known before it listens. */
  isFreePort: boolean;
  /** Whether the server itself has a certificate, rather than a proxy. */
  hasTls: boolean;
  /** Where metrics and probes are served, if they are. */
  metrics: HostAndPort | undefined;
  /** Where clients connect with a certificate, if they have a port for it. */
  mtls: HostAndPort | undefined;
  /** Whether the server has mutual TLS, and neither such a port nor a proxy for it. */
  lacksCertificates: boolean;
  /** In a container, every address is the right one: its network decides who reaches it. */
  inContainer: boolean;
  /** Whether everything is lost with the process. */
  isStoreInMemory: boolean;
}

/** The files by which Docker and Podman mark a container. */
const containerFiles = ["/.dockerenv", "/run/.containerenv"];

/** Returns where the server of a configuration listens, or would. */
export async function siteOf(
  invocation: Invocation,
  configuration: Configuration,
  environment: Environment,
): Promise<Site> {
  const { program, server, hasTls } = configuration;
  const { port, store = "memory", metricsPort, metricsHost = programDefaults.metricsHost } =
    program;
  const host = hostOf(invocation, configuration);
  const { mtlsPort, mtlsHost = host } = program;
  return {
    ...addressesOf(
      { issuer: listenAddressOf(configuration, port), ...server },
      mtlsUrlsOf(server),
    ),
    trustedProxies: server.trustedProxies ?? [],
    host,
    port,
    isFreePort: port === 0,
    hasTls,
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    mtls: mtlsPort === undefined ? undefined : { host: mtlsHost, port: mtlsPort },
    lacksCertificates: lacksCertificates(program, server),
    inContainer: await isInContainer(environment),
    isStoreInMemory: (typeof store === "string" ? store : store.name) === "memory",
  };
}

/** Returns the site of a server that listens, which has a port and its real addresses. */
export function listeningSite(
  planned: Site,
  { issuer, frontChannelUrl, backChannelUrl, addresses, trustedProxies }: Settings,
  ports: Pick<Site, "port" | "metrics" | "mtls">,
): Site {
  const real = { issuer, frontChannelUrl, backChannelUrl, addresses, trustedProxies };
  return { ...planned, ...real, ...ports };
}

/** Returns the origin that a server listens at: http://127.0.0.1:9000. */
export function addressOfSite({ host, port, hasTls }: Site): string {
  return new URL(urlOfAddress(host, port, hasTls ? "https" : "http")).origin;
}

/** Returns the URL of the metrics of a server, if it serves them. */
export function metricsUrlOf({ metrics }: Site): string | undefined {
  return metrics && `http://${bracketed(metrics.host)}:${metrics.port}/metrics`;
}

/** Returns the URL of `/ready`, on the metrics port, if the server has one. */
export function readyUrlOf({ metrics }: Pick<Site, "metrics">): string | undefined {
  return metrics && `${urlOfAddress(metrics.host, metrics.port)}/ready`;
}

/** Returns whether an address means the machine it is used on. */
export function isLoopback(address: string): boolean {
  return isLoopbackName(new URL(address).hostname);
}

/** Whether a proxy is expected next to the server, which reaches it on loopback. */
export function hasProxyHere({ trustedProxies }: Site): boolean {
  return trustedProxies === "loopback" || trustedProxies.some(isLoopbackNetwork);
}

/** Returns whether an entry of `trustedProxies` means this machine. */
export function isLoopbackNetwork(entry: string): boolean {
  return isLoopbackHost(entry.split("/")[0] ?? "");
}

async function isInContainer(environment: Environment): Promise<boolean> {
  if (environment.KUBERNETES_SERVICE_HOST) return true;
  const found = await Promise.all(containerFiles.map(pathExists));
  return found.includes(true);
}

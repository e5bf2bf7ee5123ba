import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { reachableHost } from "../configuration/configuration.ts";
import { hasProxyHere, isLoopback, readyUrlOf, type Site } from "../operate/site.ts";
import { isListening } from "./probe.ts";
import { readProbe } from "./run_health_command.ts";

/** A finding. A problem stops clients; a note may. */
export interface Diagnosis {
  level: "ok" | "note" | "problem";
  message: string;
}

/** How long the metrics port may take to respond, in milliseconds. */
const timeout = 3_000;

/**
 * Returns the findings about a site itself. Requests may have shown already that the server
 * is at some of its addresses.
 */
export function diagnoseSite(
  site: Site,
  reached: ReadonlySet<string> = new Set(),
): Diagnosis[] {
  return [diagnoseListener(site, reached), ...diagnoseBackChannel(site)];
}

/** Asks the metrics port of a server, if there is one, for problems that its pages do not show. */
export async function diagnoseReadiness(
  { issuer: expected, ...site }: Pick<Site, "issuer" | "metrics">,
  ask: typeof fetch = fetch,
): Promise<Diagnosis[]> {
  const readyUrl = readyUrlOf(site);
  if (readyUrl === undefined) return [];
  const init = { signal: AbortSignal.timeout(timeout), redirect: "error" } as const;
  const text = await ask(readyUrl, init).then((response) => response.text()).catch(() => "");
  const { issuer, reason, warning } = readProbe(text);
  if (issuer !== expected) return [];
  if (reason !== undefined) {
    return [{ level: "problem", message: `The server is not ready: ${reason}` }];
  }
  return warning === undefined ? [] : [{ level: "problem", message: warning }];
}

/**
 * Finds out whether a server for real use is stopped, if none of its addresses responded: a proxy's
 * response in its place would be misleading.
 */
export async function diagnoseStopped(
  site: Site,
  listens: typeof isListening = isListening,
): Promise<Diagnosis[]> {
  if (!isForRealUse(site)) return [];
  const { host, port } = site;
  if (await listens(reachableHost(host), port)) return [];
  const message = `The server is not running: nothing listens on ${host}, port ${port}, of this ` +
    "machine. Start it and look again; if it is on another machine, look from there.";
  return [{ level: "problem", message }];
}

/** Returns whether a server is for real use. The issuer of a lab is on this machine. */
export function isForRealUse({ issuer }: Site): boolean {
  return issuer.startsWith("https:") && !isLoopback(issuer);
}

/** Finds out whether other machines or containers can reach the program. */
function diagnoseListener(site: Site, reached: ReadonlySet<string>): Diagnosis {
  const { host, port, addresses, inContainer } = site;
  if (!isLoopbackHost(host)) {
    return {
      level: "ok",
      message:
        `The server listens on ${host}, port ${port}, which other machines and containers can ` +
        "reach.",
    };
  }
  const unreachable =
    `The server listens only on ${host}, port ${port}: no other machine or container can reach ` +
    "it, not even through a published port";
  const remedy =
    "To open it, use --host 0.0.0.0, and for a lab also --expose and --lab-token TOKEN.";
  const external = addresses.filter((address) => !isLoopback(address));
  const names = external.join(" and ");
  if (external.length === 0) return { level: "note", message: `${unreachable}. ${remedy}` };
  if (external.every((address) => reached.has(address))) {
    return {
      level: "ok",
      message:
        `The server listens on ${host}, port ${port}, and a proxy forwards requests for ${names}.`,
    };
  }
  const mayHaveProxy = (!inContainer || hasProxyHere(site)) &&
    external.every((address) => address.startsWith("https:"));
  if (mayHaveProxy) {
    return {
      level: "note",
      message: `${unreachable}, unless a proxy on this machine forwards requests for ${names}.`,
    };
  }
  return {
    level: "problem",
    message: `${unreachable}. Clients cannot connect to ${names}. ${remedy}`,
  };
}

/** In another container, localhost is that container. */
function diagnoseBackChannel({ backChannelUrl }: Site): Diagnosis[] {
  if (!isLoopback(backChannelUrl)) return [];
  const message =
    `Applications are sent to ${backChannelUrl}. That works on this machine, but in another ` +
    "container it is the container itself.";
  return [{ level: "note", message }];
}

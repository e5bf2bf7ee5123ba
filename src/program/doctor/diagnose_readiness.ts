import { reachableHost } from "../configuration/configuration.ts";
import { isLoopback, readyUrlOf, type Site } from "../operate/site.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { isListening } from "./probe.ts";
import { readProbe } from "./probe_response.ts";

/** How long the metrics port may take to respond, in milliseconds. */
const timeout = 3_000;

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
export function isForRealUse({ issuer }: Pick<Site, "issuer">): boolean {
  return issuer.startsWith("https:") && !isLoopback(issuer);
}

import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { findWarnings } from "../operate/operation_warnings.ts";
import { hasProxyHere, isLoopback, type Site } from "../operate/site.ts";
import type { Diagnosis } from "./diagnosis.ts";

/**
 * Returns the findings about a site itself. Requests may have shown already that the server
 * is at some of its addresses.
 */
export function diagnoseSite(
  site: Site,
  reached: ReadonlySet<string> = new Set(),
): Diagnosis[] {
  return [
    diagnoseListener(site, reached),
    ...diagnoseBackChannel(site),
    ...findWarnings({ site }).map(({ message }): Diagnosis => ({ level: "note", message })),
  ];
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

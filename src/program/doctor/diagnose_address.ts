import { parseUrl } from "../../server/util/addresses/uri.ts";
import { isLoopback, type Site } from "../operate/site.ts";
import { printable } from "../terminal/printable.ts";
import type { Diagnosis } from "./diagnose_site.ts";
import type { ProbeResult } from "./probe.ts";

/** How much of a server's metadata is shown, in characters. */
const maxLength = 300;

/** An address to probe, and what a client that uses it as the issuer expects there. */
export interface ProbedAddress {
  address: string;
  /** The issuer that the metadata must name. */
  expected: string;
  /** Where the server is, if its configuration is known. */
  site?: Site | undefined;
}

/** Compares what was found at an address with what a client expects there. */
export function diagnoseAddress(
  result: ProbeResult,
  probed: ProbedAddress,
  anyResponded: boolean,
): Diagnosis[] {
  const { address } = probed;
  switch (result.kind) {
    case "unresolved":
      return [
        unreachable(
          `${address}: the name '${new URL(address).hostname}' does not resolve here.`,
          anyResponded,
        ),
      ];
    case "unreachable":
      return [
        unreachable(
          `${address} did not respond: ${result.reason}.`,
          anyResponded && isHostsLoopback(probed),
        ),
      ];
    case "no metadata":
      return [{ level: "problem", message: `${address} has no metadata: ${result.reason}.` }];
    case "server":
      return diagnoseServer(result, probed);
  }
}

/** In a container, a loopback address may be meant for the host, where the port is published. */
function isHostsLoopback({ address, site }: ProbedAddress): boolean {
  return site?.inContainer === true && isLoopback(address);
}

/** Only containers of a network know its names, and only the host knows a published port. */
function unreachable(message: string, mayWorkElsewhere: boolean): Diagnosis {
  if (!mayWorkElsewhere) return { level: "problem", message };
  return {
    level: "note",
    message: `${message} That is fine if only others use this address; check from there: docker ` +
      "compose exec SERVICE hallpass doctor",
  };
}

function diagnoseServer(
  result: ProbeResult & { kind: "server" },
  probed: ProbedAddress,
): Diagnosis[] {
  const { address, site } = probed;
  const { metadata, healthy } = result;
  const found = [diagnoseIssuer(result, probed)];
  if (!healthy) {
    found.push({
      level: "problem",
      message: `${address} reports that it is unhealthy; see its log.`,
    });
  }
  if (!site) return found;
  const { authorization_endpoint, token_endpoint } = metadata;
  const { frontChannelUrl, backChannelUrl } = site;
  return [
    ...found,
    ...diagnoseEndpoint(address, authorization_endpoint, frontChannelUrl, "browsers"),
    ...diagnoseEndpoint(address, token_endpoint, backChannelUrl, "applications"),
  ];
}

function diagnoseIssuer(
  { ips, metadata }: ProbeResult & { kind: "server" },
  { address, expected }: ProbedAddress,
): Diagnosis {
  const prefix = `${address} (${ips.join(", ")}) responds`;
  if (metadata.issuer === expected) {
    return { level: "ok", message: `${prefix} and names the issuer ${expected}.` };
  }
  const issuer = describeValue(metadata.issuer);
  const sentence = `${prefix}, but names the issuer '${
    printable(issuer)
  }' instead of '${expected}'`;
  return {
    level: "problem",
    message: `${sentence}: ${
      difference(issuer, expected)
    }. Clients compare issuers character by character, and must reject this one.`,
  };
}

/** The endpoints of a server that was started with another configuration have another origin. */
function diagnoseEndpoint(
  address: string,
  endpoint: unknown,
  expected: string,
  users: string,
): Diagnosis[] {
  const origin = parseUrl(describeValue(endpoint))?.origin ?? "nowhere";
  if (origin === new URL(expected).origin) return [];
  return [{
    level: "problem",
    message:
      `${address} sends ${users} to ${origin}, but ${expected} is configured: it was started ` +
      "with another configuration.",
  }];
}

/** Formats a member of the metadata, of any type. */
function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : String(JSON.stringify(value));
  return text.slice(0, maxLength);
}

/** Describes how two issuers differ. */
export function difference(one: string, other: string): string {
  if (one.replace(/\/+$/, "") === other.replace(/\/+$/, "")) {
    return "they differ in the trailing slash";
  }
  if (!URL.canParse(one) || !URL.canParse(other)) return "one of them is not a URL";
  const [a, b] = [new URL(one), new URL(other)];
  const names = { protocol: "scheme", hostname: "host", port: "port", pathname: "path" };
  const parts = (["protocol", "hostname", "port", "pathname"] as const)
    .filter((part) => a[part] !== b[part])
    .map((part) => names[part]);
  return parts.length === 0
    ? "they are spelled differently"
    : `they differ in ${parts.join(" and ")}`;
}

import { addressesOf } from "../../server/config/addresses.ts";
import type { PathsConfig } from "../../server/features.ts";
import {
  basePath,
  issuerUrl,
  pathWithinIssuer,
  splitWellKnownPath,
} from "../../server/protocol/issuer_url.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { tenantPath, tenantsPath } from "../control/control_path.ts";
import type { InterfacePlace } from "../core/core_lab.ts";
import type { CoreLabConfig } from "../lab_server/core_lab_config.ts";
import { LabError } from "../util/lab_error.ts";
import { isIpAddress } from "../util/own_addresses.ts";

/** The first segments of paths that a lab itself uses. */
const ownSegments: readonly string[] = [
  ".well-known",
  "account",
  "authorized",
  "callback",
  "favicon.ico",
  "health",
  "lab",
  "oauth2",
  "sign-out",
  "start",
  "static",
  "t",
];

interface LabAddresses {
  issuer: string;
  frontChannelUrl?: string;
  backChannelUrl?: string;
}

/** The addresses of a lab, and the configured paths of its endpoints. */
export interface LabUrls extends LabAddresses {
  /** Returns the paths: a test may change them. */
  pathsNow(): PathsConfig | undefined;
  controlApart?: boolean | undefined;
}

export interface TenantPlacement {
  settings: LabAddresses & Pick<CoreLabConfig, "controlApart" | "pagesUrl">;
  /** Where its interface over HTTP is, if that is not at its issuer. */
  place?: InterfacePlace | undefined;
}

/**
 * Whether a host is that of the lab, where tenants differ in their paths. A name below localhost may
 * be that of one tenant.
 */
export function isSharedHost(lab: LabAddresses, hostname: string): boolean {
  return isLoopbackHost(hostname) || isIpAddress(hostname) ||
    addressesOf(lab).addresses.some((address) => new URL(address).hostname === hostname);
}

/** Checks the issuer that a test chose for a tenant, besides those of other tenants. */
export function checkChosenIssuer(
  lab: LabUrls,
  issuer: string,
  others: readonly string[],
): void {
  if (typeof issuer !== "string" || !URL.canParse(issuer)) {
    throw new LabError("The 'issuer' of a tenant must be an absolute URL.");
  }
  if (others.some((other) => isSameIssuer(other, issuer))) {
    throw new LabError(`Another tenant already has the issuer '${issuer}'.`);
  }
  if (hidesLabPaths(lab, new URL(issuer))) {
    throw new LabError(`The issuer '${issuer}' would hide paths of the lab; choose another path.`);
  }
}

function hidesLabPaths(lab: LabUrls, { hostname, pathname, port }: URL): boolean {
  if (!isSharedHost(lab, hostname)) return false;
  const [, first = ""] = pathname.split("/");
  if (first === "") {
    return addressesOf(lab).addresses.some((address) => new URL(address).port === port);
  }
  const segments = Object.values(lab.pathsNow() ?? {}).map((path) => path?.split("/")[1]);
  const labSegment = basePath(lab.issuer).split("/")[1];
  return [...ownSegments, ...segments, labSegment].includes(first);
}

/** Two issuers that differ in their final slash have the same endpoints. */
function isSameIssuer(issuer: string, other: string): boolean {
  return new URL(issuer).host === new URL(other).host && basePath(issuer) === basePath(other);
}

/**
 * Whether a URL belongs to an issuer. On the hosts of the lab, its path alone decides; without a
 * path, its port does.
 */
export function belongsToIssuer(
  lab: LabAddresses,
  { host, hostname, pathname }: URL,
  issuer: string,
): boolean {
  const own = new URL(issuer);
  const base = basePath(issuer);
  if (pathWithinIssuer(pathname, base) === undefined) return false;
  if (!isSharedHost(lab, own.hostname)) return hostname === own.hostname;
  return base === "" ? host === own.host : isSharedHost(lab, hostname);
}

export function tenantPrefix({ issuer }: LabAddresses): string {
  return `${basePath(issuer)}${tenantsPath}`;
}

export function tenantIdOf(pathname: string, prefix: string): string | undefined {
  const { issuerPath } = splitWellKnownPath(pathname);
  if (!issuerPath.startsWith(prefix)) return undefined;
  return issuerPath.slice(prefix.length).split("/", 1)[0];
}

/** Places a tenant at the addresses of the lab, each with the path of the tenant. */
export function placeBelow(
  { issuer, frontChannelUrl, backChannelUrl }: LabAddresses,
  id: string,
): TenantPlacement {
  const path = tenantPath(id);
  return {
    settings: {
      issuer: issuerUrl(issuer, path),
      ...frontChannelUrl && { frontChannelUrl: issuerUrl(frontChannelUrl, path) },
      ...backChannelUrl && { backChannelUrl: issuerUrl(backChannelUrl, path) },
    },
  };
}

/**
 * Places a tenant at an issuer that the test chose. Its host never leads to the interface over
 * HTTP, which stays at an address of the lab.
 */
export function placeAtIssuer(lab: LabUrls, id: string, issuer: string): TenantPlacement {
  const pagesUrl = () =>
    lab.controlApart ? undefined : issuerUrl(lab.issuer, `${tenantPath(id)}/lab`);
  return {
    settings: { issuer, controlApart: true, pagesUrl },
    place: { base: `${tenantPrefix(lab)}${id}`, addresses: addressesOf(lab).addresses },
  };
}

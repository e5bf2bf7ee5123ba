import { basePath, issuerProblem } from "../protocol/issuer_url.ts";
import type { CoreConfig } from "./config.ts";
import type { InsecureConfig } from "./insecure_config.ts";
import type { ReportProblem } from "./problems.ts";

/** The settings that hold a URL of the server. */
export const addressMembers = ["issuer", "frontChannelUrl", "backChannelUrl"] as const;

/** One of the settings that hold a URL of the server. */
export type AddressMember = (typeof addressMembers)[number];

type Addresses = Pick<CoreConfig, AddressMember>;

/**
 * Returns the URLs of a server. A browser and a container may reach it under different names, but
 * its issuer is the same everywhere.
 */
export function addressesOf(
  { issuer, frontChannelUrl = issuer, backChannelUrl = issuer }: Addresses,
  others: readonly string[] = [],
): Required<Addresses> & { addresses: readonly string[] } {
  const addresses = [...new Set([issuer, frontChannelUrl, backChannelUrl, ...others])];
  return { issuer, frontChannelUrl, backChannelUrl, addresses };
}

/** Checks the URLs of a server: cookies, and links between pages, depend on one path. */
export function checkAddresses(config: CoreConfig, report: ReportProblem): void {
  for (const member of addressMembers) checkAddress(member, config[member], config, report);
}

/** Checks one URL of a server, if it is set. */
export function checkAddress(
  member: string,
  address: string | undefined,
  { issuer, insecure }: { issuer: string; insecure?: InsecureConfig },
  report: ReportProblem,
): void {
  if (address === undefined) return;
  const problem = issuerProblem(address, insecure?.httpIssuer ?? false);
  if (problem !== undefined) report(member, problem);
  else if (URL.canParse(issuer)) checkPath(member, address, issuer, report);
}

function checkPath(member: string, address: string, issuer: string, report: ReportProblem): void {
  const path = basePath(address);
  const expected = basePath(issuer);
  if (path === expected) return;
  report(member, `must have the path of the issuer, '${expected || "/"}'; it has '${path || "/"}'`);
}

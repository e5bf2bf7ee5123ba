import { basePath, issuerProblem, issuerUrl } from "../protocol/issuer_url.ts";
import { redirectUriMatches } from "../protocol/redirect_uri.ts";
import type { CoreConfig } from "./config.ts";
import type { ReportProblem } from "./problems.ts";
import type { Settings } from "./settings.ts";

/** The path of the page that shows an authorization response, to try things by hand. */
export const callbackPath = "/authorized";

/** Where "Start New Authorization" leads. */
export const startPath = `${callbackPath}/start`;

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
): Pick<Settings, AddressMember | "addresses"> {
  const addresses = [...new Set([issuer, frontChannelUrl, backChannelUrl])];
  return { issuer, frontChannelUrl, backChannelUrl, addresses };
}

/**
 * Returns the ids of the configured clients whose redirect URI is the page at `/authorized`.
 * Without any, it would only be a page of the operator on which the author of a link can place
 * text.
 */
export function callbackClientsOf(config: Addresses & Pick<CoreConfig, "clients">): string[] {
  const { clients = [], issuer, frontChannelUrl = issuer } = config;
  const pages = [issuer, frontChannelUrl].map((address) => issuerUrl(address, callbackPath));
  const own = clients.filter(({ redirectUris = [], native = false }) =>
    redirectUris.some((uri) => pages.some((page) => redirectUriMatches(uri, page, native)))
  );
  return own.map(({ id }) => id);
}

/** Checks the URLs of a server: cookies, and links between pages, depend on one path. */
export function checkAddresses(
  config: Addresses & Pick<CoreConfig, "insecure">,
  report: ReportProblem,
): void {
  const allowHttp = config.insecure?.httpIssuer ?? false;
  for (const member of addressMembers) {
    const address = config[member];
    if (address === undefined) continue;
    const problem = issuerProblem(address, allowHttp);
    if (problem !== undefined) report(member, problem);
    else if (URL.canParse(config.issuer)) {
      checkPath(member, address, config.issuer, report);
    }
  }
}

function checkPath(member: string, address: string, issuer: string, report: ReportProblem): void {
  const path = basePath(address);
  const expected = basePath(issuer);
  if (path === expected) return;
  report(member, `must have the path of the issuer, '${expected || "/"}'; it has '${path || "/"}'`);
}

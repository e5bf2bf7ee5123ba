import { basePath, issuerProblem, issuerUrl } from "../protocol/issuer_url.ts";
import { redirectUriMatches } from "../protocol/redirect_uri.ts";
import type { Config } from "./config.ts";
import type { Settings } from "./settings.ts";
import type { ReportProblem } from "./shape.ts";

/** The members that say where a server is found. */
export const addressMembers = ["issuer", "frontChannelUrl", "backChannelUrl"] as const;

type Addresses = Pick<Config, (typeof addressMembers)[number]>;

/** A server may be found by one name from a browser and by another one from a container; its issuer is one everywhere. */
export function addressesOf(
  { issuer, frontChannelUrl = issuer, backChannelUrl = issuer }: Addresses,
): Pick<
  Settings,
  "issuer" | "frontChannelUrl" | "backChannelUrl" | "addresses"
> {
  return {
    issuer,
    frontChannelUrl,
    backChannelUrl,
    addresses: [...new Set([issuer, frontChannelUrl, backChannelUrl])],
  };
}

/** The page that shows what came back to a redirect URI, for trying things by hand. */
export const callbackPath = "/authorized";

/**
 * Whether a configured client has that page as its redirect URI. For anyone else it would only be a
 * page of the operator's own on which the sender of a link can write.
 */
export function hasCallbackPage(
  { clients = [], issuer, frontChannelUrl = issuer }: Addresses & Pick<Config, "clients">,
): boolean {
  const pages = [issuer, frontChannelUrl].map((address) => issuerUrl(address, callbackPath));
  return clients.some(({ redirectUris = [], native = false }) =>
    redirectUris.some((uri) => pages.some((page) => redirectUriMatches(uri, page, native)))
  );
}

/** Only scheme, host and port may differ: cookies, and links between pages, go by the path. */
export function checkAddresses(
  config: Addresses & Pick<Config, "insecure">,
  isSound: (path: string) => boolean,
  report: ReportProblem,
): void {
  const httpElsewhere = config.insecure?.httpIssuer ?? false;
  for (const member of addressMembers.filter(isSound)) {
    const address = config[member];
    const problem = address === undefined ? undefined : issuerProblem(address, httpElsewhere);
    if (problem !== undefined) report(member, problem);
    else if (address !== undefined && isSound("issuer") && URL.canParse(config.issuer)) {
      checkPath(member, address, config.issuer, report);
    }
  }
}

function checkPath(member: string, address: string, issuer: string, report: ReportProblem): void {
  const [path, expected] = [basePath(address), basePath(issuer)];
  if (path !== expected) {
    report(
      member,
      `must have the path of the issuer, '${expected || "/"}'; it has '${path || "/"}'`,
    );
  }
}

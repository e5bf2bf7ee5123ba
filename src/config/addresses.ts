import { basePath, issuerProblem } from "../protocol/issuer_url.ts";
import type { Config } from "./config.ts";
import type { Settings } from "./settings.ts";
import type { Report } from "./shape.ts";

/** The members that say where a server is found. */
export const addressMembers = ["issuer", "frontChannel", "backChannel"] as const;

type Addresses = Pick<Config, (typeof addressMembers)[number]>;

/** A server may be found by one name from a browser and by another one from a container; its issuer is one everywhere. */
export function addressesOf({ issuer, frontChannel = issuer, backChannel = issuer }: Addresses): Pick<
  Settings,
  "issuer" | "frontChannel" | "backChannel" | "addresses"
> {
  return { issuer, frontChannel, backChannel, addresses: [...new Set([issuer, frontChannel, backChannel])] };
}

/** Only scheme, host and port may differ: cookies, and links between pages, go by the path. */
export function checkAddresses(config: Addresses & Pick<Config, "insecure">, isSound: (path: string) => boolean, report: Report): void {
  const httpElsewhere = config.insecure?.httpIssuer ?? false;
  for (const member of addressMembers.filter(isSound)) {
    const address = config[member];
    const problem = address === undefined ? undefined : issuerProblem(address, httpElsewhere);
    if (problem !== undefined) report(member, problem);
    else if (address !== undefined && isSound("issuer") && URL.canParse(config.issuer)) checkPath(member, address, config.issuer, report);
  }
}

function checkPath(member: string, address: string, issuer: string, report: Report): void {
  const [path, expected] = [basePath(address), basePath(issuer)];
  if (path !== expected) report(member, `must have the path of the issuer, '${expected || "/"}'; it has '${path || "/"}'`);
}

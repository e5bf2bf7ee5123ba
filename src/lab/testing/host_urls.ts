import { dialectAddress } from "../dialect/dialect_address.ts";
import { playedHosts } from "../dialect/played_hosts.ts";
import type { Lab } from "../lab.ts";
import { LabError } from "../util/lab_error.ts";
import type { InterceptOptions } from "./intercept.ts";

/** Returns the URLs of the hosts of all providers that a lab plays, itself or in tenants. */
export function playedHostUrls({ settings, tenants }: Lab): string[] {
  const labs = tenants.ids().map((id) => tenants.find(id).settings);
  return [settings, ...labs]
    .flatMap((each) => playedHosts(each.config().dialect))
    .map((name) => `https://${name}`);
}

/** Returns the URLs that the paths of a lab are below: a dialect has some beside its issuer. */
export function baseUrls({ context, settings }: Lab): string[] {
  const { dialect } = settings.config();
  return context.settings.addresses.flatMap((url) => [url, dialectAddress(url, dialect).base]);
}

/** Returns the URLs of hosts that an interception is for, beside the addresses of its lab. */
export function interceptedHosts(lab: Lab, { hosts }: InterceptOptions = {}): string[] {
  const urls = playedHostUrls(lab);
  const issuers = [lab.issuer, ...lab.tenants.chosenIssuers()];
  const hasRealIssuer = issuers.some((issuer) => urls.includes(new URL(issuer).origin));
  if (!(hosts ?? hasRealIssuer)) return [];
  const repeated = urls.find((url, at) => urls.indexOf(url) !== at);
  if (repeated !== undefined) {
    throw new LabError(`Several tenants have the host ${repeated}: intercept at one of them.`);
  }
  if (urls.length > 0) return urls;
  throw new LabError(
    "lab.intercept({ hosts: true }) needs a provider whose hosts are the same for everyone, " +
      "such as hallpass({ provider: \"google\" }). Name another host as the 'issuer' of the lab.",
  );
}

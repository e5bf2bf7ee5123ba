import type { Site } from "../../src/program/operate/site.ts";
import { addressesOf } from "../../src/server/config/addresses.ts";
import type { Config } from "../../src/server/features.ts";

/** Returns the site of a server that listens on this machine, behind no proxy. */
export function siteAt(
  addresses: Pick<Config, "issuer" | "frontChannelUrl" | "backChannelUrl">,
  changes: Partial<Site> = {},
): Site {
  return {
    ...addressesOf(addresses),
    trustedProxies: [],
    host: "localhost",
    port: 9000,
    isFreePort: false,
    hasTls: false,
    metrics: undefined,
    inContainer: false,
    mtls: undefined,
    lacksCertificates: false,
    isStoreInMemory: false,
    ...changes,
  };
}

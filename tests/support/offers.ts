import { type Offer, trustedOffer } from "../../src/server/config/settings.ts";
import { createFullServer } from "../../src/server/features.ts";
import type { Config } from "../../src/server/mod.ts";

/** Returns what a server with these settings offers to the clients that its operator trusts. */
export function offerOf(config: Partial<Config> = {}): Offer {
  return trustedOffer(
    createFullServer({ issuer: "https://id.example", ...config }).context.settings,
  );
}

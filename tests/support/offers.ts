import type { Offers } from "../../src/server/config/offer.ts";
import { createFullServer } from "../../src/server/features.ts";
import type { Config } from "../../src/server/mod.ts";

/** Returns what a server with these settings offers to its clients. */
export function offersOf(config: Partial<Config> = {}): Offers {
  return createFullServer({ issuer: "https://id.example", ...config }).context.settings.offers;
}

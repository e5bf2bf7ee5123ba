import type { Config } from "../../../server/features.ts";
import type { LabFeature } from "../../feature.ts";

/** A lab has passkeys where its owner sets them: its users sign in by one click. */
export const labPasskeys: LabFeature = {
  name: "passkeys",
  serverSettings: (config: Config): Config => ({
    ...config,
    // A lab has a policy that signs users in, next to which only an object offers passkeys.
    passkeys: config.passkeys === "offered" ? {} : config.passkeys ?? "off",
  }),
};

import type { LabFeature } from "../../feature.ts";
import { offersOlderEncryption } from "./config.ts";
import { createRememberingEnvelope } from "./remember_sealed.ts";

/** Faults inside of what the server encrypts, and in how it does that. */
export const encryption: LabFeature = {
  name: "encryption",
  serverSettings: offersOlderEncryption,
  open: () => ({ serverHooks: () => ({ envelope: createRememberingEnvelope() }) }),
};

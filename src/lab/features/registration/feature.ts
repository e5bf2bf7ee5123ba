import type { LabFeature } from "../../feature.ts";
import { openToRegistration } from "./config.ts";
import { serviceRegistration } from "./leniencies.ts";

/** Clients under test may register, and ask for everything. */
export const openRegistration: LabFeature = {
  name: "registration",
  serverSettings: openToRegistration,
  leniency: serviceRegistration,
};

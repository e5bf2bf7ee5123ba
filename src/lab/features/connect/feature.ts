import type { LabFeature } from "../../feature.ts";

/** What an application needs to be a client of the lab. It is all on the home page. */
export const connect: LabFeature = {
  name: "connect",
};

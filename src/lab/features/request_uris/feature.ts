import type { Config } from "../../../server/features.ts";
import type { LabFeature } from "../../feature.ts";

/** A lab reads request objects by reference if it can fetch them. */
export const referredRequests: LabFeature = {
  name: "request_uris",
  serverSettings: (config: Config): Config => ({
    requestUris: config.fetchUntrusted !== undefined,
    ...config,
  }),
};

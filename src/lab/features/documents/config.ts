import type { Config } from "../../../server/features.ts";

/** A lab knows clients by their documents if it can fetch them. */
export function fetchesDocuments(config: Config): Config {
  return { clientMetadataDocuments: config.fetchUntrusted !== undefined, ...config };
}

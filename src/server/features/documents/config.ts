import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** The settings of the server about metadata documents. */
export interface DocumentsSetting {
  /**
   * Whether a client's id may be the URL of a document that describes the client. Needs
   * `fetchUntrusted`.
   */
  clientMetadataDocuments?: boolean;
}

export const documentsServer = settingsPart<Required<DocumentsSetting>>(
  settings.DocumentsSetting,
);

import type { Settings } from "../../../server/config/settings.ts";
import { documentsServer } from "../../../server/features/documents/config.ts";

/** Whether the server knows any client that has a metadata document. */
export function readsDocuments(settings: Settings): boolean {
  return documentsServer.of(settings).clientMetadataDocuments;
}
